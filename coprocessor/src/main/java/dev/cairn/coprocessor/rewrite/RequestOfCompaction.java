package dev.cairn.coprocessor.rewrite;

import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;

/**
 * A compaction as hooks see it.
 *
 * @param files the files that it merges, oldest first
 * @param bytes their length
 * @param isAllFiles whether they are all of the store's
 * @param isRequested whether a user asked for it
 * @param selectionMillis when they were chosen, milliseconds since 1970
 */
record RequestOfCompaction(
    List<HStoreFile> files,
    long bytes,
    boolean isAllFiles,
    boolean isRequested,
    long selectionMillis)
    implements CompactionRequest {
  @Override
  public Collection<HStoreFile> getFiles() {
    return files;
  }

  @Override
  public long getSize() {
    return bytes;
  }

  /** Cairn treats every compaction of all files as a major one. */
  @Override
  public boolean isMajor() {
    return isAllFiles;
  }

  @Override
  public int getPriority() {
    return isRequested ? Store.PRIORITY_USER : Store.NO_PRIORITY;
  }

  @Override
  public boolean isOffPeak() {
    return false;
  }

  @Override
  public long getSelectionTime() {
    return selectionMillis;
  }
}
