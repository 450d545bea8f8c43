/**
 * The shell's language, a part of Ruby: commands with and without parentheses, texts, numbers,
 * symbols, arrays, hashes, constants, assignments, calls on values, and blocks of loops. A {@link
 * dev.cairn.shell.language.Lexer} makes tokens of a script, a {@link
 * dev.cairn.shell.language.Parser} makes {@link dev.cairn.shell.language.Expression}s of tokens.
 * Whatever else Ruby has is refused by a {@link dev.cairn.shell.language.SyntaxException} that
 * names it.
 */
package dev.cairn.shell.language;
