/**
 * {@code bin/cairn shell}: the HBase shell's language and commands without Ruby. {@link
 * dev.cairn.shell.Shell} reads statements of scripts, of standard input, or of a person at the
 * console, and runs them against the server that the settings name.
 */
package dev.cairn.shell;
