package org.apache.hadoop.hbase.regionserver;

/**
 * A store none of whose methods is served, as in {@link UnservedRegion}. Subclasses serve those
 * that coprocessors call. Its methods are listed in the order of their names.
 */
@SuppressWarnings({"deprecation", "rawtypes", "unchecked", "overrides"})
public abstract class UnservedStore extends HStore {
  /** Never runs. */
  protected UnservedStore() throws java.io.IOException {
    super((HRegion) null, null, null, false);
  }

  private static UnsupportedOperationException unserved(String method) {
    return new UnsupportedOperationException("HStore." + method + " is not served by Cairn");
  }

  @Override
  public void add(
      java.lang.Iterable<org.apache.hadoop.hbase.Cell> a0,
      org.apache.hadoop.hbase.regionserver.MemStoreSizing a1) {
    throw unserved("add");
  }

  @Override
  public void add(
      org.apache.hadoop.hbase.Cell a0, org.apache.hadoop.hbase.regionserver.MemStoreSizing a1) {
    throw unserved("add");
  }

  @Override
  public void addChangedReaderObserver(
      org.apache.hadoop.hbase.regionserver.ChangedReadersObserver a0) {
    throw unserved("addChangedReaderObserver");
  }

  @Override
  public boolean areWritesEnabled() {
    throw unserved("areWritesEnabled");
  }

  @Override
  public void assertBulkLoadHFileOk(org.apache.hadoop.fs.Path a0) throws java.io.IOException {
    throw unserved("assertBulkLoadHFileOk");
  }

  @Override
  public org.apache.hadoop.fs.Path bulkLoadHFile(
      byte[] a0, java.lang.String a1, org.apache.hadoop.fs.Path a2) throws java.io.IOException {
    throw unserved("bulkLoadHFile");
  }

  @Override
  public void bulkLoadHFile(org.apache.hadoop.hbase.regionserver.StoreFileInfo a0)
      throws java.io.IOException {
    throw unserved("bulkLoadHFile");
  }

  @Override
  public boolean canSplit() {
    throw unserved("canSplit");
  }

  @Override
  public void cancelRequestedCompaction(
      org.apache.hadoop.hbase.regionserver.compactions.CompactionContext a0) {
    throw unserved("cancelRequestedCompaction");
  }

  @Override
  public org.apache.hbase.thirdparty.com.google.common.collect.ImmutableCollection<
          org.apache.hadoop.hbase.regionserver.HStoreFile>
      close() throws java.io.IOException {
    throw unserved("close");
  }

  @Override
  public void closeAndArchiveCompactedFiles() throws java.io.IOException {
    throw unserved("closeAndArchiveCompactedFiles");
  }

  @Override
  public java.util.List<org.apache.hadoop.hbase.regionserver.HStoreFile> compact(
      org.apache.hadoop.hbase.regionserver.compactions.CompactionContext a0,
      org.apache.hadoop.hbase.regionserver.throttle.ThroughputController a1,
      org.apache.hadoop.hbase.security.User a2)
      throws java.io.IOException {
    throw unserved("compact");
  }

  @Override
  protected org.apache.hadoop.hbase.io.hfile.CacheConfig createCacheConf(
      org.apache.hadoop.hbase.client.ColumnFamilyDescriptor a0) {
    throw unserved("createCacheConf");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.StoreFlushContext createFlushContext(
      long a0, org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker a1) {
    throw unserved("createFlushContext");
  }

  @Override
  protected org.apache.hadoop.hbase.regionserver.KeyValueScanner createScanner(
      org.apache.hadoop.hbase.client.Scan a0,
      org.apache.hadoop.hbase.regionserver.ScanInfo a1,
      java.util.NavigableSet<byte[]> a2,
      long a3)
      throws java.io.IOException {
    throw unserved("createScanner");
  }

  @Override
  protected org.apache.hadoop.hbase.regionserver.StoreEngine<?, ?, ?, ?> createStoreEngine(
      org.apache.hadoop.hbase.regionserver.HStore a0,
      org.apache.hadoop.conf.Configuration a1,
      org.apache.hadoop.hbase.CellComparator a2)
      throws java.io.IOException {
    throw unserved("createStoreEngine");
  }

  @Override
  public void deleteChangedReaderObserver(
      org.apache.hadoop.hbase.regionserver.ChangedReadersObserver a0) {
    throw unserved("deleteChangedReaderObserver");
  }

  @Override
  public void deregisterChildren(org.apache.hadoop.hbase.conf.ConfigurationManager a0) {
    throw unserved("deregisterChildren");
  }

  @Override
  protected java.util.List<org.apache.hadoop.hbase.regionserver.HStoreFile> doCompaction(
      org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl a0,
      java.util.Collection<org.apache.hadoop.hbase.regionserver.HStoreFile> a1,
      org.apache.hadoop.hbase.security.User a2,
      long a3,
      java.util.List<org.apache.hadoop.fs.Path> a4)
      throws java.io.IOException {
    throw unserved("doCompaction");
  }

  @Override
  protected void finishCompactionRequest(
      org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl a0) {
    throw unserved("finishCompactionRequest");
  }

  @Override
  protected java.util.List<org.apache.hadoop.fs.Path> flushCache(
      long a0,
      org.apache.hadoop.hbase.regionserver.MemStoreSnapshot a1,
      org.apache.hadoop.hbase.monitoring.MonitoredTask a2,
      org.apache.hadoop.hbase.regionserver.throttle.ThroughputController a3,
      org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker a4,
      java.util.function.Consumer<org.apache.hadoop.fs.Path> a5)
      throws java.io.IOException {
    throw unserved("flushCache");
  }

  @Override
  public java.util.OptionalDouble getAvgStoreFileAge() {
    throw unserved("getAvgStoreFileAge");
  }

  @Override
  public long getBlockingFileCount() {
    throw unserved("getBlockingFileCount");
  }

  @Override
  public long getBloomFilterEligibleRequestsCount() {
    throw unserved("getBloomFilterEligibleRequestsCount");
  }

  @Override
  public long getBloomFilterNegativeResultsCount() {
    throw unserved("getBloomFilterNegativeResultsCount");
  }

  @Override
  public long getBloomFilterRequestsCount() {
    throw unserved("getBloomFilterRequestsCount");
  }

  @Override
  public org.apache.hadoop.hbase.io.hfile.CacheConfig getCacheConfig() {
    throw unserved("getCacheConfig");
  }

  @Override
  public org.apache.hadoop.hbase.client.ColumnFamilyDescriptor getColumnFamilyDescriptor() {
    throw unserved("getColumnFamilyDescriptor");
  }

  @Override
  public java.lang.String getColumnFamilyName() {
    throw unserved("getColumnFamilyName");
  }

  @Override
  public int getCompactPriority() {
    throw unserved("getCompactPriority");
  }

  @Override
  public long getCompactedCellsCount() {
    throw unserved("getCompactedCellsCount");
  }

  @Override
  public long getCompactedCellsSize() {
    throw unserved("getCompactedCellsSize");
  }

  @Override
  public java.util.Collection<org.apache.hadoop.hbase.regionserver.HStoreFile> getCompactedFiles() {
    throw unserved("getCompactedFiles");
  }

  @Override
  public int getCompactedFilesCount() {
    throw unserved("getCompactedFilesCount");
  }

  @Override
  public long getCompactionCheckMultiplier() {
    throw unserved("getCompactionCheckMultiplier");
  }

  @Override
  public double getCompactionPressure() {
    throw unserved("getCompactionPressure");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.compactions.CompactionProgress
      getCompactionProgress() {
    throw unserved("getCompactionProgress");
  }

  @Override
  public org.apache.hadoop.hbase.CellComparator getComparator() {
    throw unserved("getComparator");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost getCoprocessorHost() {
    throw unserved("getCoprocessorHost");
  }

  @Override
  public int getCurrentParallelPutCount() {
    throw unserved("getCurrentParallelPutCount");
  }

  @Override
  public org.apache.hadoop.hbase.io.hfile.HFileDataBlockEncoder getDataBlockEncoder() {
    throw unserved("getDataBlockEncoder");
  }

  @Override
  public org.apache.hadoop.fs.FileSystem getFileSystem() {
    throw unserved("getFileSystem");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.MemStoreSize getFlushableSize() {
    throw unserved("getFlushableSize");
  }

  @Override
  public long getFlushedCellsCount() {
    throw unserved("getFlushedCellsCount");
  }

  @Override
  public long getFlushedCellsSize() {
    throw unserved("getFlushedCellsSize");
  }

  @Override
  public long getFlushedOutputFileSize() {
    throw unserved("getFlushedOutputFileSize");
  }

  @Override
  public long getHFilesSize() {
    throw unserved("getHFilesSize");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.HRegion getHRegion() {
    throw unserved("getHRegion");
  }

  @Override
  public long getLastCompactSize() {
    throw unserved("getLastCompactSize");
  }

  @Override
  public long getMajorCompactedCellsCount() {
    throw unserved("getMajorCompactedCellsCount");
  }

  @Override
  public long getMajorCompactedCellsSize() {
    throw unserved("getMajorCompactedCellsSize");
  }

  @Override
  public int getMaxCompactedStoreFileRefCount() {
    throw unserved("getMaxCompactedStoreFileRefCount");
  }

  @Override
  public java.util.OptionalLong getMaxMemStoreTS() {
    throw unserved("getMaxMemStoreTS");
  }

  @Override
  public java.util.OptionalLong getMaxSequenceId() {
    throw unserved("getMaxSequenceId");
  }

  @Override
  public java.util.OptionalLong getMaxStoreFileAge() {
    throw unserved("getMaxStoreFileAge");
  }

  @Override
  public long getMemStoreFlushSize() {
    throw unserved("getMemStoreFlushSize");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.MemStoreSize getMemStoreSize() {
    throw unserved("getMemStoreSize");
  }

  @Override
  public long getMemstoreOnlyRowReadsCount() {
    throw unserved("getMemstoreOnlyRowReadsCount");
  }

  @Override
  public java.util.OptionalLong getMinStoreFileAge() {
    throw unserved("getMinStoreFileAge");
  }

  @Override
  public long getMixedRowReadsCount() {
    throw unserved("getMixedRowReadsCount");
  }

  @Override
  public long getNumHFiles() {
    throw unserved("getNumHFiles");
  }

  @Override
  public long getNumReferenceFiles() {
    throw unserved("getNumReferenceFiles");
  }

  @Override
  protected org.apache.hadoop.hbase.regionserver.compactions.OffPeakHours getOffPeakHours() {
    throw unserved("getOffPeakHours");
  }

  @Override
  public org.apache.hadoop.conf.Configuration getReadOnlyConfiguration() {
    throw unserved("getReadOnlyConfiguration");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.HRegionFileSystem getRegionFileSystem() {
    throw unserved("getRegionFileSystem");
  }

  @Override
  public org.apache.hadoop.hbase.client.RegionInfo getRegionInfo() {
    throw unserved("getRegionInfo");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.ScanInfo getScanInfo() {
    throw unserved("getScanInfo");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.KeyValueScanner getScanner(
      org.apache.hadoop.hbase.client.Scan a0, java.util.NavigableSet<byte[]> a1, long a2)
      throws java.io.IOException {
    throw unserved("getScanner");
  }

  @Override
  public java.util.List<org.apache.hadoop.hbase.regionserver.KeyValueScanner> getScanners(
      boolean a0,
      boolean a1,
      boolean a2,
      boolean a3,
      org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher a4,
      byte[] a5,
      byte[] a6,
      long a7,
      boolean a8)
      throws java.io.IOException {
    throw unserved("getScanners");
  }

  @Override
  public java.util.List<org.apache.hadoop.hbase.regionserver.KeyValueScanner> getScanners(
      boolean a0,
      boolean a1,
      boolean a2,
      org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher a3,
      byte[] a4,
      boolean a5,
      byte[] a6,
      boolean a7,
      long a8,
      boolean a9)
      throws java.io.IOException {
    throw unserved("getScanners");
  }

  @Override
  public java.util.List<org.apache.hadoop.hbase.regionserver.KeyValueScanner> getScanners(
      java.util.List<org.apache.hadoop.hbase.regionserver.HStoreFile> a0,
      boolean a1,
      boolean a2,
      boolean a3,
      boolean a4,
      org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher a5,
      byte[] a6,
      byte[] a7,
      long a8,
      boolean a9,
      boolean a10)
      throws java.io.IOException {
    throw unserved("getScanners");
  }

  @Override
  public java.util.List<org.apache.hadoop.hbase.regionserver.KeyValueScanner> getScanners(
      java.util.List<org.apache.hadoop.hbase.regionserver.HStoreFile> a0,
      boolean a1,
      boolean a2,
      boolean a3,
      org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher a4,
      byte[] a5,
      boolean a6,
      byte[] a7,
      boolean a8,
      long a9,
      boolean a10,
      boolean a11)
      throws java.io.IOException {
    throw unserved("getScanners");
  }

  @Override
  public long getSize() {
    throw unserved("getSize");
  }

  @Override
  public long getSmallestReadPoint() {
    throw unserved("getSmallestReadPoint");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.MemStoreSize getSnapshotSize() {
    throw unserved("getSnapshotSize");
  }

  @Override
  public java.util.Optional<byte[]> getSplitPoint() {
    throw unserved("getSplitPoint");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.StoreContext getStoreContext() {
    throw unserved("getStoreContext");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.StoreEngine<?, ?, ?, ?> getStoreEngine() {
    throw unserved("getStoreEngine");
  }

  @Override
  long getStoreFileSize(org.apache.hadoop.hbase.regionserver.HStoreFile a0) {
    throw unserved("getStoreFileSize");
  }

  @Override
  public long getStoreFileTtl() {
    throw unserved("getStoreFileTtl");
  }

  @Override
  public java.util.Set<org.apache.hadoop.fs.Path> getStoreFilesBeingWritten() {
    throw unserved("getStoreFilesBeingWritten");
  }

  @Override
  public int getStoreRefCount() {
    throw unserved("getStoreRefCount");
  }

  @Override
  public long getStoreSizeUncompressed() {
    throw unserved("getStoreSizeUncompressed");
  }

  @Override
  public java.util.Collection<org.apache.hadoop.hbase.regionserver.HStoreFile> getStorefiles() {
    throw unserved("getStorefiles");
  }

  @Override
  public int getStorefilesCount() {
    throw unserved("getStorefilesCount");
  }

  @Override
  public long getStorefilesRootLevelIndexSize() {
    throw unserved("getStorefilesRootLevelIndexSize");
  }

  @Override
  public long getStorefilesSize() {
    throw unserved("getStorefilesSize");
  }

  @Override
  public org.apache.hadoop.hbase.TableName getTableName() {
    throw unserved("getTableName");
  }

  @Override
  public long getTotalStaticBloomSize() {
    throw unserved("getTotalStaticBloomSize");
  }

  @Override
  public long getTotalStaticIndexSize() {
    throw unserved("getTotalStaticIndexSize");
  }

  @Override
  public boolean hasReferences() {
    throw unserved("hasReferences");
  }

  @Override
  public boolean hasTooManyStoreFiles() {
    throw unserved("hasTooManyStoreFiles");
  }

  @Override
  public long heapSize() {
    throw unserved("heapSize");
  }

  @Override
  public boolean isPrimaryReplicaStore() {
    throw unserved("isPrimaryReplicaStore");
  }

  @Override
  public boolean isSloppyMemStore() {
    throw unserved("isSloppyMemStore");
  }

  @Override
  public boolean needsCompaction() {
    throw unserved("needsCompaction");
  }

  @Override
  public void onConfigurationChange(org.apache.hadoop.conf.Configuration a0) {
    throw unserved("onConfigurationChange");
  }

  @Override
  public void postSnapshotOperation() {
    throw unserved("postSnapshotOperation");
  }

  @Override
  public org.apache.hadoop.hbase.util.Pair<org.apache.hadoop.fs.Path, org.apache.hadoop.fs.Path>
      preBulkLoadHFile(java.lang.String a0, long a1) throws java.io.IOException {
    throw unserved("preBulkLoadHFile");
  }

  @Override
  public java.lang.Long preFlushSeqIDEstimation() {
    throw unserved("preFlushSeqIDEstimation");
  }

  @Override
  public void preSnapshotOperation() {
    throw unserved("preSnapshotOperation");
  }

  @Override
  public java.util.List<org.apache.hadoop.hbase.regionserver.KeyValueScanner> recreateScanners(
      java.util.List<org.apache.hadoop.hbase.regionserver.KeyValueScanner> a0,
      boolean a1,
      boolean a2,
      boolean a3,
      org.apache.hadoop.hbase.regionserver.querymatcher.ScanQueryMatcher a4,
      byte[] a5,
      boolean a6,
      byte[] a7,
      boolean a8,
      long a9,
      boolean a10)
      throws java.io.IOException {
    throw unserved("recreateScanners");
  }

  @Override
  public void refreshStoreFiles() throws java.io.IOException {
    throw unserved("refreshStoreFiles");
  }

  @Override
  public void refreshStoreFiles(java.util.Collection<java.lang.String> a0)
      throws java.io.IOException {
    throw unserved("refreshStoreFiles");
  }

  @Override
  protected void refreshStoreSizeAndTotalBytes() throws java.io.IOException {
    throw unserved("refreshStoreSizeAndTotalBytes");
  }

  @Override
  public void registerChildren(org.apache.hadoop.hbase.conf.ConfigurationManager a0) {
    throw unserved("registerChildren");
  }

  @Override
  void replaceStoreFiles(
      java.util.Collection<org.apache.hadoop.hbase.regionserver.HStoreFile> a0,
      java.util.Collection<org.apache.hadoop.hbase.regionserver.HStoreFile> a1,
      boolean a2)
      throws java.io.IOException {
    throw unserved("replaceStoreFiles");
  }

  @Override
  public void replayCompactionMarker(
      org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.CompactionDescriptor a0,
      boolean a1,
      boolean a2)
      throws java.io.IOException {
    throw unserved("replayCompactionMarker");
  }

  @Override
  void reportArchivedFilesForQuota(
      java.util.List<? extends org.apache.hadoop.hbase.regionserver.StoreFile> a0,
      java.util.List<java.lang.Long> a1) {
    throw unserved("reportArchivedFilesForQuota");
  }

  @Override
  public java.util.Optional<org.apache.hadoop.hbase.regionserver.compactions.CompactionContext>
      requestCompaction() throws java.io.IOException {
    throw unserved("requestCompaction");
  }

  @Override
  public java.util.Optional<org.apache.hadoop.hbase.regionserver.compactions.CompactionContext>
      requestCompaction(
          int a0,
          org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker a1,
          org.apache.hadoop.hbase.security.User a2)
          throws java.io.IOException {
    throw unserved("requestCompaction");
  }

  @Override
  void setDataBlockEncoderInTest(org.apache.hadoop.hbase.io.hfile.HFileDataBlockEncoder a0) {
    throw unserved("setDataBlockEncoderInTest");
  }

  @Override
  void setScanInfo(org.apache.hadoop.hbase.regionserver.ScanInfo a0) {
    throw unserved("setScanInfo");
  }

  @Override
  public boolean shouldPerformMajorCompaction() throws java.io.IOException {
    throw unserved("shouldPerformMajorCompaction");
  }

  @Override
  public void startReplayingFromWAL() {
    throw unserved("startReplayingFromWAL");
  }

  @Override
  public void stopReplayingFromWAL() {
    throw unserved("stopReplayingFromWAL");
  }

  @Override
  public boolean throttleCompaction(long a0) {
    throw unserved("throttleCompaction");
  }

  @Override
  public long timeOfOldestEdit() {
    throw unserved("timeOfOldestEdit");
  }

  @Override
  public void triggerMajorCompaction() {
    throw unserved("triggerMajorCompaction");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.HStoreFile tryCommitRecoveredHFile(
      org.apache.hadoop.fs.Path a0) throws java.io.IOException {
    throw unserved("tryCommitRecoveredHFile");
  }

  @Override
  public void updateCompactedMetrics(
      boolean a0, org.apache.hadoop.hbase.regionserver.compactions.CompactionProgress a1) {
    throw unserved("updateCompactedMetrics");
  }

  @Override
  void updateMetricsStore(boolean a0) {
    throw unserved("updateMetricsStore");
  }

  @Override
  void updateSpaceQuotaAfterFileReplacement(
      org.apache.hadoop.hbase.quotas.RegionSizeStore a0,
      org.apache.hadoop.hbase.client.RegionInfo a1,
      java.util.Collection<org.apache.hadoop.hbase.regionserver.HStoreFile> a2,
      java.util.Collection<org.apache.hadoop.hbase.regionserver.HStoreFile> a3) {
    throw unserved("updateSpaceQuotaAfterFileReplacement");
  }

  @Override
  public void upsert(
      java.lang.Iterable<org.apache.hadoop.hbase.Cell> a0,
      long a1,
      org.apache.hadoop.hbase.regionserver.MemStoreSizing a2) {
    throw unserved("upsert");
  }

  @Override
  int versionsToReturn(int a0) {
    throw unserved("versionsToReturn");
  }
}
