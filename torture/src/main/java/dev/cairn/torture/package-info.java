/**
 * Runs a whole server's engine on a simulated disk, with crashes and faults, against the reference
 * model, world after world, each from a seed: what {@code bin/cairn torture} does, and the module's
 * test in small. In come a number of minutes or a seed; out go a report and the seeds that failed.
 */
package dev.cairn.torture;
