package org.apache.hadoop.hbase.regionserver;

/**
 * A store file none of whose methods is served, as in {@link UnservedRegion}. Subclasses serve
 * those that coprocessors call. Its methods are listed in the order of their names.
 */
@SuppressWarnings({"deprecation", "rawtypes", "unchecked", "overrides"})
public abstract class UnservedStoreFile extends HStoreFile {
  /** Never runs. */
  protected UnservedStoreFile() {
    super(null, null, null);
  }

  private static UnsupportedOperationException unserved(String method) {
    return new UnsupportedOperationException("HStoreFile." + method + " is not served by Cairn");
  }

  @Override
  public void closeStoreFile(boolean a0) throws java.io.IOException {
    throw unserved("closeStoreFile");
  }

  @Override
  long decreaseRefCount() {
    throw unserved("decreaseRefCount");
  }

  @Override
  public void deleteStoreFile() throws java.io.IOException {
    throw unserved("deleteStoreFile");
  }

  @Override
  public boolean excludeFromMinorCompaction() {
    throw unserved("excludeFromMinorCompaction");
  }

  @Override
  public java.util.OptionalLong getBulkLoadTimestamp() {
    throw unserved("getBulkLoadTimestamp");
  }

  @Override
  public org.apache.hadoop.hbase.io.hfile.CacheConfig getCacheConf() {
    throw unserved("getCacheConf");
  }

  @Override
  java.util.Set<java.lang.String> getCompactedStoreFiles() {
    throw unserved("getCompactedStoreFiles");
  }

  @Override
  public org.apache.hadoop.hbase.CellComparator getComparator() {
    throw unserved("getComparator");
  }

  @Override
  public org.apache.hadoop.fs.Path getEncodedPath() {
    throw unserved("getEncodedPath");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.StoreFileInfo getFileInfo() {
    throw unserved("getFileInfo");
  }

  @Override
  public java.util.Optional<org.apache.hadoop.hbase.Cell> getFirstKey() {
    throw unserved("getFirstKey");
  }

  @Override
  public org.apache.hadoop.hbase.HDFSBlocksDistribution getHDFSBlockDistribution() {
    throw unserved("getHDFSBlockDistribution");
  }

  @Override
  public java.util.Optional<org.apache.hadoop.hbase.Cell> getLastKey() {
    throw unserved("getLastKey");
  }

  @Override
  public long getMaxMemStoreTS() {
    throw unserved("getMaxMemStoreTS");
  }

  @Override
  public long getMaxSequenceId() {
    throw unserved("getMaxSequenceId");
  }

  @Override
  public java.util.OptionalLong getMaximumTimestamp() {
    throw unserved("getMaximumTimestamp");
  }

  @Override
  public byte[] getMetadataValue(byte[] a0) {
    throw unserved("getMetadataValue");
  }

  @Override
  public java.util.OptionalLong getMinimumTimestamp() {
    throw unserved("getMinimumTimestamp");
  }

  @Override
  public long getModificationTimeStamp() throws java.io.IOException {
    throw unserved("getModificationTimeStamp");
  }

  @Override
  public long getModificationTimestamp() throws java.io.IOException {
    throw unserved("getModificationTimestamp");
  }

  @Override
  public org.apache.hadoop.fs.Path getPath() {
    throw unserved("getPath");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.StoreFileScanner getPreadScanner(
      boolean a0, long a1, long a2, boolean a3) {
    throw unserved("getPreadScanner");
  }

  @Override
  public org.apache.hadoop.fs.Path getQualifiedPath() {
    throw unserved("getQualifiedPath");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.StoreFileReader getReader() {
    throw unserved("getReader");
  }

  @Override
  public int getRefCount() {
    throw unserved("getRefCount");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.StoreFileScanner getStreamScanner(
      boolean a0, boolean a1, boolean a2, long a3, long a4, boolean a5) throws java.io.IOException {
    throw unserved("getStreamScanner");
  }

  @Override
  long increaseRefCount() {
    throw unserved("increaseRefCount");
  }

  @Override
  public void initReader() throws java.io.IOException {
    throw unserved("initReader");
  }

  @Override
  public boolean isBulkLoadResult() {
    throw unserved("isBulkLoadResult");
  }

  @Override
  public boolean isCompactedAway() {
    throw unserved("isCompactedAway");
  }

  @Override
  public boolean isHFile() {
    throw unserved("isHFile");
  }

  @Override
  public boolean isHistorical() {
    throw unserved("isHistorical");
  }

  @Override
  public boolean isMajorCompactionResult() {
    throw unserved("isMajorCompactionResult");
  }

  @Override
  public boolean isReference() {
    throw unserved("isReference");
  }

  @Override
  public boolean isReferencedInReads() {
    throw unserved("isReferencedInReads");
  }

  @Override
  public void markCompactedAway() {
    throw unserved("markCompactedAway");
  }

  @Override
  public java.lang.String toStringDetailed() {
    throw unserved("toStringDetailed");
  }
}
