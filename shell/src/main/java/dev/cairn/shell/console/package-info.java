/**
 * The console of a person: prompt, history, completion, highlighting, several lines of a statement,
 * Ctrl-C, and paging, on JLine. It knows the commands from their declarations.
 */
package dev.cairn.shell.console;
