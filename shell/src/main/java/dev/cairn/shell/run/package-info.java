/**
 * Runs statements of the shell's language. The {@link dev.cairn.shell.run.Evaluator} evaluates
 * expressions and passes commands to the {@link dev.cairn.shell.run.CommandRunner}. A {@link
 * dev.cairn.shell.run.Command} declares name, group, arguments and help once, for dispatch, help
 * and completion. Commands see the {@link dev.cairn.shell.run.Session} and their {@link
 * dev.cairn.shell.run.Arguments}.
 */
package dev.cairn.shell.run;
