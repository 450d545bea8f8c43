/**
 * Finds the classes of coprocessors, on the class path and in jars of tables, and says which of
 * them cannot run.
 */
package dev.cairn.coprocessor.load;
