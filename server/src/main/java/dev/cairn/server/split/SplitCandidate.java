package dev.cairn.server.split;

import java.util.List;

/**
 * A snapshot of an open region, for split policies.
 *
 * @param storeBytes the length of the store files of each family, bytes
 * @param regionsOfTable the number of the table's regions on the server, including this one
 * @param writes the number of mutations since the region was opened
 * @param blockedWrites the number of write requests refused since then because the memstores were
 *     full
 * @param nowMillis the time, milliseconds since 1970
 */
public record SplitCandidate(
    List<Long> storeBytes, int regionsOfTable, long writes, long blockedWrites, long nowMillis) {}
