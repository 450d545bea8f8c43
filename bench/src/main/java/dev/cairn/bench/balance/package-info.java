/**
 * {@code bin/cairn bench balance}: measures how the balancer of a cluster spreads a load that is
 * not even. Its servers are processes of their own, and each costs what the operating system says.
 */
package dev.cairn.bench.balance;
