package dev.cairn.coprocessor.split;

import dev.cairn.server.split.SplitPolicy.Candidate;
import java.util.List;
import java.util.Optional;

/**
 * What a split policy can see of its region while it is asked.
 *
 * @param sizes the length of the store files of each family in the order of the descriptor, bytes
 * @param regionsOfTable the number of the table's regions on the server
 * @param writes the number of mutations since the region was opened
 * @param blockedWrites the number of write requests refused since then because the memstores were
 *     full
 * @param middle the row at which the region is to be split, if the policy does not change it
 */
record RegionState(
    List<Long> sizes,
    int regionsOfTable,
    long writes,
    long blockedWrites,
    Optional<byte[]> middle) {
  static final RegionState NEW = new RegionState(List.of(), 1, 0, 0, Optional.empty());

  static RegionState of(Candidate region) {
    return new RegionState(
        region.storeBytes(),
        region.regionsOfTable(),
        region.writes(),
        region.blockedWrites(),
        Optional.empty());
  }

  RegionState at(byte[] row) {
    return new RegionState(sizes, regionsOfTable, writes, blockedWrites, Optional.of(row));
  }

  /**
   * Returns the bytes of a family, as far as they are known. While a row is asked for, there are
   * some: HBase's policies ask only families with files, and a split on request comes with a row
   * but without sizes.
   */
  long size(int family) {
    long known = family < sizes.size() ? sizes.get(family) : 0;
    return middle.isPresent() ? Math.max(1, known) : known;
  }
}
