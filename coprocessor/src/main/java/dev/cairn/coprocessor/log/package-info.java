/** Converts log entries for hooks of writes, of recoveries, and of the log. */
package dev.cairn.coprocessor.log;
