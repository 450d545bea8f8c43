/**
 * The interactive console, on JLine: prompt, history, completion, highlighting, multi-line
 * statements, Ctrl-C and paging. Reads the commands from their declarations.
 */
package dev.cairn.shell.console;
