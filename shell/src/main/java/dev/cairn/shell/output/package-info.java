/**
 * The shell's output: lines, tables, values and errors, as text like HBase's shell or as JSON.
 * Commands call {@link dev.cairn.shell.output.Output}; nothing else writes to standard output.
 */
package dev.cairn.shell.output;
