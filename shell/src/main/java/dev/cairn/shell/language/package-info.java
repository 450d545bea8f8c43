/**
 * The shell's language, a subset of Ruby: commands with and without parentheses, strings, numbers,
 * symbols, arrays, hashes, constants, assignments, calls on values, and blocks of loops. A {@link
 * dev.cairn.shell.language.Lexer} converts a script to tokens, and a {@link
 * dev.cairn.shell.language.Parser} converts tokens to {@link dev.cairn.shell.language.Expression}s.
 * All other Ruby is refused with a {@link dev.cairn.shell.language.SyntaxException} that names it.
 */
package dev.cairn.shell.language;
