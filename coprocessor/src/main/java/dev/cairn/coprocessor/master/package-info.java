/**
 * The coprocessors of the active master: HBase's host of them, and the hooks around the master's
 * methods and at moments of its procedures. One class for each group of methods.
 */
package dev.cairn.coprocessor.master;
