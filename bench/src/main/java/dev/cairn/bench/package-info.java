/**
 * The command {@code bin/cairn bench}: measurements of Cairn and other systems, in one run on one
 * machine. Each sub-command is a package of its own; all pass their results to {@code report},
 * which writes and renders them.
 */
package dev.cairn.bench;
