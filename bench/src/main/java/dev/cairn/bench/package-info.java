/**
 * The command {@code bin/cairn bench}: what measures Cairn, beside others, in one run on one
 * machine. Each sub-command is a package of its own; all hand their results to {@code report},
 * which writes them down and renders them.
 */
package dev.cairn.bench;
