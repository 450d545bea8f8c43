package dev.cairn.server.split;

import java.util.List;

/**
 * An open region as split policies see it, at one moment.
 *
 * @param storeBytes the length of the store files of each family, bytes
 * @param regionsOfTable how many regions of its table the server has, itself counted
 * @param writes how many mutations came since the region was opened
 * @param blockedWrites how many requests to write were refused since then because the memstores
 *     were full
 * @param nowMillis the time, milliseconds since 1970
 */
public record SplitCandidate(
    List<Long> storeBytes, int regionsOfTable, long writes, long blockedWrites, long nowMillis) {}
