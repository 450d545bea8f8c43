/**
 * Values of the shell's language. The evaluator computes them from expressions; commands take them
 * as arguments and return them. Strings are bytes, because rows and values in tables are bytes.
 */
package dev.cairn.shell.value;
