/**
 * A server's engine on a simulated machine: its clock is set by whoever drives it, its disk loses
 * what a kill or a power cut loses and fails when told to, and its log is polled by the driving
 * thread, so that one seed makes one run. In comes a random number generator; out go open regions.
 * It knows nothing of the model.
 */
package dev.cairn.torture.simulation;
