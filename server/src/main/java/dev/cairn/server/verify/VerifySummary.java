package dev.cairn.server.verify;

/**
 * The totals of a check.
 *
 * @param storeFiles store files that were checked
 * @param logs logs that were checked
 * @param pointers references and links that were followed
 * @param descriptions the number of checked descriptions of tables, regions and the folder, lists
 *     of a region's files, and files of the embedded ZooKeeper
 * @param bytes the size of all those files
 * @param findings places that are damaged
 * @param damagedFiles files that have such places
 * @param failures files that could not be checked
 * @param vanished files that were gone when their turn came, because a running server moved them
 */
public record VerifySummary(
    long storeFiles,
    long logs,
    long pointers,
    long descriptions,
    long bytes,
    long findings,
    long damagedFiles,
    long failures,
    long vanished) {
  /** Tells whether there was nothing to check, as where a path names a wrong folder. */
  public boolean isEmpty() {
    return storeFiles + logs + pointers + descriptions + findings + failures + vanished == 0;
  }
}
