/** Entries of the log as hooks see them: those of writes, of recoveries, and of the log itself. */
package dev.cairn.coprocessor.log;
