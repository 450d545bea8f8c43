/**
 * A server's engine on a simulated machine. The driver sets the clock and polls the log, so one
 * seed makes one run. The disk fails on request, and loses the data that a kill or a power cut
 * loses. The input is a random number generator; the output is open regions. The package knows
 * nothing of the model.
 */
package dev.cairn.torture.simulation;
