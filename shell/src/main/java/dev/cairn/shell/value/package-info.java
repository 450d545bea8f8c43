/**
 * Values of the shell's language. The evaluator makes them of a script's expressions; commands take
 * them as arguments and return them. Texts are bytes, because rows and values in tables are.
 */
package dev.cairn.shell.value;
