/**
 * {@code bin/cairn bench balance}: measures how the balancer of a cluster spreads an uneven load.
 * Its servers are separate processes, whose processor time the operating system reports.
 */
package dev.cairn.bench.balance;
