/**
 * Answers a scan with digests: counts, sums and hashes of ranges of rows, instead of the rows. A
 * scan asks for them with an attribute ({@link dev.cairn.server.digest.DigestOptions}); {@link
 * dev.cairn.server.digest.DigestedScan} reads the rows and returns a {@link
 * dev.cairn.server.digest.RangeDigest} as a cell. Clients add up the digests of neighbouring
 * ranges.
 */
package dev.cairn.server.digest;
