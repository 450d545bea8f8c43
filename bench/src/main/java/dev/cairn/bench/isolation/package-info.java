/**
 * {@code bin/cairn bench isolation}: measures gets and writes with and without heavy scans beside
 * them, once with shared call queues and once with separate ones.
 */
package dev.cairn.bench.isolation;
