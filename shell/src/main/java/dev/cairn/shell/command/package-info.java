/**
 * The shell's commands in HBase's groups, each declared with its arguments and help in one place.
 * They take {@link dev.cairn.shell.run.Arguments}, call HBase's Java client, and print to the
 * session's output.
 */
package dev.cairn.shell.command;
