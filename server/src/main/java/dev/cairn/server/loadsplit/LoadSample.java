package dev.cairn.server.loadsplit;

/**
 * One row that a call read or wrote, and the load that it represents. The sums over all samples
 * estimate the load of all calls.
 *
 * @param row the row, or the beginning of a long one; not to be changed
 * @param low the first row that the call read; {@code row} if it read one row
 * @param high the last row that the call read; {@code row} if it read one row
 * @param requests requests
 * @param bytes bytes of cells
 * @param nanos nanoseconds of processor time
 */
record LoadSample(
    byte[] row, byte[] low, byte[] high, double requests, double bytes, double nanos) {}
