/**
 * Finds the classes of coprocessors, on the class path and in jars of tables, and decides which of
 * them can run.
 */
package dev.cairn.coprocessor.load;
