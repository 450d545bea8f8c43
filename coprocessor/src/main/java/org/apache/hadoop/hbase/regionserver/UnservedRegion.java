package org.apache.hadoop.hbase.regionserver;

/**
 * A region whose methods all throw {@link UnsupportedOperationException} with their name.
 * Subclasses implement those that coprocessors call. An object is allocated without HBase's
 * constructor, which would open a region of HBase, so an inherited method of HBase would find null
 * fields. The class is in HBase's package, because some methods are visible only there. Methods are
 * in alphabetical order.
 */
@SuppressWarnings({"deprecation", "rawtypes", "unchecked", "overrides"})
public abstract class UnservedRegion extends HRegion {
  /** Never runs. */
  protected UnservedRegion() {
    super((HRegionFileSystem) null, null, null, null, null);
  }

  private static UnsupportedOperationException unserved(String method) {
    return new UnsupportedOperationException("HRegion." + method + " is not served by Cairn");
  }

  @Override
  public void addReadRequestsCount(long a0) {
    throw unserved("addReadRequestsCount");
  }

  @Override
  public void addRegionToSnapshot(
      org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription a0,
      org.apache.hadoop.hbase.errorhandling.ForeignExceptionSnare a1)
      throws java.io.IOException {
    throw unserved("addRegionToSnapshot");
  }

  @Override
  public void addWriteRequestsCount(long a0) {
    throw unserved("addWriteRequestsCount");
  }

  @Override
  public org.apache.hadoop.hbase.client.Result append(
      org.apache.hadoop.hbase.client.Append a0, long a1, long a2) throws java.io.IOException {
    throw unserved("append");
  }

  @Override
  public org.apache.hadoop.hbase.client.Result append(org.apache.hadoop.hbase.client.Append a0)
      throws java.io.IOException {
    throw unserved("append");
  }

  @Override
  public boolean areWritesEnabled() {
    throw unserved("areWritesEnabled");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.OperationStatus[] batchMutate(
      org.apache.hadoop.hbase.client.Mutation[] a0, boolean a1, long a2, long a3)
      throws java.io.IOException {
    throw unserved("batchMutate");
  }

  @Override
  org.apache.hadoop.hbase.regionserver.OperationStatus[] batchMutate(
      org.apache.hadoop.hbase.client.Mutation[] a0, boolean a1) throws java.io.IOException {
    throw unserved("batchMutate");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.OperationStatus[] batchMutate(
      org.apache.hadoop.hbase.client.Mutation[] a0) throws java.io.IOException {
    throw unserved("batchMutate");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.OperationStatus[] batchReplay(
      org.apache.hadoop.hbase.wal.WALSplitUtil.MutationReplay[] a0, long a1)
      throws java.io.IOException {
    throw unserved("batchReplay");
  }

  @Override
  public void blockUpdates() {
    throw unserved("blockUpdates");
  }

  @Override
  public java.util.Map<byte[], java.util.List<org.apache.hadoop.fs.Path>> bulkLoadHFiles(
      java.util.Collection<org.apache.hadoop.hbase.util.Pair<byte[], java.lang.String>> a0,
      boolean a1,
      org.apache.hadoop.hbase.regionserver.HRegion.BulkLoadListener a2,
      boolean a3,
      java.util.List<java.lang.String> a4,
      boolean a5)
      throws java.io.IOException {
    throw unserved("bulkLoadHFiles");
  }

  @Override
  public java.util.Map<byte[], java.util.List<org.apache.hadoop.fs.Path>> bulkLoadHFiles(
      java.util.Collection<org.apache.hadoop.hbase.util.Pair<byte[], java.lang.String>> a0,
      boolean a1,
      org.apache.hadoop.hbase.regionserver.HRegion.BulkLoadListener a2)
      throws java.io.IOException {
    throw unserved("bulkLoadHFiles");
  }

  @Override
  public boolean checkAndMutate(
      byte[] a0,
      byte[] a1,
      byte[] a2,
      org.apache.hadoop.hbase.CompareOperator a3,
      org.apache.hadoop.hbase.filter.ByteArrayComparable a4,
      org.apache.hadoop.hbase.client.Mutation a5)
      throws java.io.IOException {
    throw unserved("checkAndMutate");
  }

  @Override
  public boolean checkAndMutate(
      byte[] a0,
      byte[] a1,
      byte[] a2,
      org.apache.hadoop.hbase.CompareOperator a3,
      org.apache.hadoop.hbase.filter.ByteArrayComparable a4,
      org.apache.hadoop.hbase.io.TimeRange a5,
      org.apache.hadoop.hbase.client.Mutation a6)
      throws java.io.IOException {
    throw unserved("checkAndMutate");
  }

  @Override
  public boolean checkAndMutate(
      byte[] a0,
      org.apache.hadoop.hbase.filter.Filter a1,
      org.apache.hadoop.hbase.client.Mutation a2)
      throws java.io.IOException {
    throw unserved("checkAndMutate");
  }

  @Override
  public boolean checkAndMutate(
      byte[] a0,
      org.apache.hadoop.hbase.filter.Filter a1,
      org.apache.hadoop.hbase.io.TimeRange a2,
      org.apache.hadoop.hbase.client.Mutation a3)
      throws java.io.IOException {
    throw unserved("checkAndMutate");
  }

  @Override
  public org.apache.hadoop.hbase.client.CheckAndMutateResult checkAndMutate(
      org.apache.hadoop.hbase.client.CheckAndMutate a0, long a1, long a2)
      throws java.io.IOException {
    throw unserved("checkAndMutate");
  }

  @Override
  public org.apache.hadoop.hbase.client.CheckAndMutateResult checkAndMutate(
      org.apache.hadoop.hbase.client.CheckAndMutate a0) throws java.io.IOException {
    throw unserved("checkAndMutate");
  }

  @Override
  public boolean checkAndRowMutate(
      byte[] a0,
      byte[] a1,
      byte[] a2,
      org.apache.hadoop.hbase.CompareOperator a3,
      org.apache.hadoop.hbase.filter.ByteArrayComparable a4,
      org.apache.hadoop.hbase.client.RowMutations a5)
      throws java.io.IOException {
    throw unserved("checkAndRowMutate");
  }

  @Override
  public boolean checkAndRowMutate(
      byte[] a0,
      byte[] a1,
      byte[] a2,
      org.apache.hadoop.hbase.CompareOperator a3,
      org.apache.hadoop.hbase.filter.ByteArrayComparable a4,
      org.apache.hadoop.hbase.io.TimeRange a5,
      org.apache.hadoop.hbase.client.RowMutations a6)
      throws java.io.IOException {
    throw unserved("checkAndRowMutate");
  }

  @Override
  public boolean checkAndRowMutate(
      byte[] a0,
      org.apache.hadoop.hbase.filter.Filter a1,
      org.apache.hadoop.hbase.client.RowMutations a2)
      throws java.io.IOException {
    throw unserved("checkAndRowMutate");
  }

  @Override
  public boolean checkAndRowMutate(
      byte[] a0,
      org.apache.hadoop.hbase.filter.Filter a1,
      org.apache.hadoop.hbase.io.TimeRange a2,
      org.apache.hadoop.hbase.client.RowMutations a3)
      throws java.io.IOException {
    throw unserved("checkAndRowMutate");
  }

  @Override
  public void checkFamilies(java.util.Collection<byte[]> a0)
      throws org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException {
    throw unserved("checkFamilies");
  }

  @Override
  void checkFamily(byte[] a0)
      throws org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException {
    throw unserved("checkFamily");
  }

  @Override
  void checkInterrupt()
      throws org.apache.hadoop.hbase.NotServingRegionException, java.io.InterruptedIOException {
    throw unserved("checkInterrupt");
  }

  @Override
  void checkRow(byte[] a0, java.lang.String a1) throws java.io.IOException {
    throw unserved("checkRow");
  }

  @Override
  public java.util.Optional<byte[]> checkSplit() {
    throw unserved("checkSplit");
  }

  @Override
  public java.util.Optional<byte[]> checkSplit(boolean a0) {
    throw unserved("checkSplit");
  }

  @Override
  public void checkTimestamps(
      java.util.Map<byte[], java.util.List<org.apache.hadoop.hbase.Cell>> a0, long a1)
      throws org.apache.hadoop.hbase.exceptions.FailedSanityCheckException {
    throw unserved("checkTimestamps");
  }

  @Override
  public void closeRegionOperation() throws java.io.IOException {
    throw unserved("closeRegionOperation");
  }

  @Override
  public void closeRegionOperation(org.apache.hadoop.hbase.regionserver.Region.Operation a0)
      throws java.io.IOException {
    throw unserved("closeRegionOperation");
  }

  @Override
  public java.util.Map<byte[], java.util.List<org.apache.hadoop.hbase.regionserver.HStoreFile>>
      close() throws java.io.IOException {
    throw unserved("close");
  }

  @Override
  public java.util.Map<byte[], java.util.List<org.apache.hadoop.hbase.regionserver.HStoreFile>>
      close(boolean a0, boolean a1, boolean a2) throws java.io.IOException {
    throw unserved("close");
  }

  @Override
  public java.util.Map<byte[], java.util.List<org.apache.hadoop.hbase.regionserver.HStoreFile>>
      close(boolean a0, boolean a1) throws java.io.IOException {
    throw unserved("close");
  }

  @Override
  public java.util.Map<byte[], java.util.List<org.apache.hadoop.hbase.regionserver.HStoreFile>>
      close(boolean a0) throws java.io.IOException {
    throw unserved("close");
  }

  @Override
  void compactStore(
      byte[] a0, org.apache.hadoop.hbase.regionserver.throttle.ThroughputController a1)
      throws java.io.IOException {
    throw unserved("compactStore");
  }

  @Override
  public void compactStores() throws java.io.IOException {
    throw unserved("compactStores");
  }

  @Override
  public void compact(boolean a0) throws java.io.IOException {
    throw unserved("compact");
  }

  @Override
  public boolean compact(
      org.apache.hadoop.hbase.regionserver.compactions.CompactionContext a0,
      org.apache.hadoop.hbase.regionserver.HStore a1,
      org.apache.hadoop.hbase.regionserver.throttle.ThroughputController a2,
      org.apache.hadoop.hbase.security.User a3)
      throws java.io.IOException {
    throw unserved("compact");
  }

  @Override
  public boolean compact(
      org.apache.hadoop.hbase.regionserver.compactions.CompactionContext a0,
      org.apache.hadoop.hbase.regionserver.HStore a1,
      org.apache.hadoop.hbase.regionserver.throttle.ThroughputController a2)
      throws java.io.IOException {
    throw unserved("compact");
  }

  @Override
  io.opentelemetry.api.trace.Span createRegionSpan(java.lang.String a0) {
    throw unserved("createRegionSpan");
  }

  @Override
  void decrMemStoreSize(org.apache.hadoop.hbase.regionserver.MemStoreSize a0) {
    throw unserved("decrMemStoreSize");
  }

  @Override
  public void decrementCompactionsQueuedCount() {
    throw unserved("decrementCompactionsQueuedCount");
  }

  @Override
  protected void decrementFlushesQueuedCount() {
    throw unserved("decrementFlushesQueuedCount");
  }

  @Override
  public void delete(org.apache.hadoop.hbase.client.Delete a0) throws java.io.IOException {
    throw unserved("delete");
  }

  @Override
  public void deregisterChildren(org.apache.hadoop.hbase.conf.ConfigurationManager a0) {
    throw unserved("deregisterChildren");
  }

  @Override
  void disableInterrupts() {
    throw unserved("disableInterrupts");
  }

  @Override
  protected void doRegionCompactionPrep() throws java.io.IOException {
    throw unserved("doRegionCompactionPrep");
  }

  @Override
  void enableInterrupts() {
    throw unserved("enableInterrupts");
  }

  @Override
  public com.google.protobuf.Message execService(
      com.google.protobuf.RpcController a0,
      org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall a1)
      throws java.io.IOException {
    throw unserved("execService");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.HRegion.FlushResult flush(boolean a0)
      throws java.io.IOException {
    throw unserved("flush");
  }

  @Override
  org.apache.hadoop.hbase.regionserver.HRegion.FlushResultImpl flushcache(
      boolean a0, boolean a1, org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker a2)
      throws java.io.IOException {
    throw unserved("flushcache");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.HRegion.FlushResultImpl flushcache(
      java.util.List<byte[]> a0,
      boolean a1,
      org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker a2)
      throws java.io.IOException {
    throw unserved("flushcache");
  }

  @Override
  org.apache.hadoop.conf.Configuration getBaseConf() {
    throw unserved("getBaseConf");
  }

  @Override
  public org.apache.hadoop.hbase.io.hfile.BlockCache getBlockCache() {
    throw unserved("getBlockCache");
  }

  @Override
  public long getBlockedRequestsCount() {
    throw unserved("getBlockedRequestsCount");
  }

  @Override
  public org.apache.hadoop.hbase.CellComparator getCellComparator() {
    throw unserved("getCellComparator");
  }

  @Override
  public long getCheckAndMutateChecksFailed() {
    throw unserved("getCheckAndMutateChecksFailed");
  }

  @Override
  public long getCheckAndMutateChecksPassed() {
    throw unserved("getCheckAndMutateChecksPassed");
  }

  @Override
  public int getCompactPriority() {
    throw unserved("getCompactPriority");
  }

  @Override
  public org.apache.hadoop.hbase.client.CompactionState getCompactionState() {
    throw unserved("getCompactionState");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost getCoprocessorHost() {
    throw unserved("getCoprocessorHost");
  }

  @Override
  public long getDataInMemoryWithoutWAL() {
    throw unserved("getDataInMemoryWithoutWAL");
  }

  @Override
  public long getEarliestFlushTimeForAllStores() {
    throw unserved("getEarliestFlushTimeForAllStores");
  }

  @Override
  public org.apache.hadoop.fs.FileSystem getFilesystem() {
    throw unserved("getFilesystem");
  }

  @Override
  public long getFilteredReadRequestsCount() {
    throw unserved("getFilteredReadRequestsCount");
  }

  @Override
  public org.apache.hadoop.hbase.HDFSBlocksDistribution getHDFSBlocksDistribution() {
    throw unserved("getHDFSBlocksDistribution");
  }

  @Override
  public org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionLoadStats
      getLoadStatistics() {
    throw unserved("getLoadStatistics");
  }

  @Override
  public java.util.concurrent.ConcurrentHashMap<
          org.apache.hadoop.hbase.util.HashedBytes,
          org.apache.hadoop.hbase.regionserver.HRegion.RowLockContext>
      getLockedRows() {
    throw unserved("getLockedRows");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl getMVCC() {
    throw unserved("getMVCC");
  }

  @Override
  public long getMaxFlushedSeqId() {
    throw unserved("getMaxFlushedSeqId");
  }

  @Override
  public java.util.Map<byte[], java.lang.Long> getMaxStoreSeqId() {
    throw unserved("getMaxStoreSeqId");
  }

  @Override
  public long getMemStoreDataSize() {
    throw unserved("getMemStoreDataSize");
  }

  @Override
  public long getMemStoreFlushSize() {
    throw unserved("getMemStoreFlushSize");
  }

  @Override
  public long getMemStoreHeapSize() {
    throw unserved("getMemStoreHeapSize");
  }

  @Override
  public long getMemStoreOffHeapSize() {
    throw unserved("getMemStoreOffHeapSize");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.metrics.MetricsTableRequests
      getMetricsTableRequests() {
    throw unserved("getMetricsTableRequests");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.MetricsRegion getMetrics() {
    throw unserved("getMetrics");
  }

  @Override
  public int getMinBlockSizeBytes() {
    throw unserved("getMinBlockSizeBytes");
  }

  @Override
  public org.apache.hadoop.hbase.mob.MobFileCache getMobFileCache() {
    throw unserved("getMobFileCache");
  }

  @Override
  protected long getNextSequenceId(org.apache.hadoop.hbase.wal.WAL a0) throws java.io.IOException {
    throw unserved("getNextSequenceId");
  }

  @Override
  public long getNumMutationsWithoutWAL() {
    throw unserved("getNumMutationsWithoutWAL");
  }

  @Override
  public long getOldestHfileTs(boolean a0) throws java.io.IOException {
    throw unserved("getOldestHfileTs");
  }

  @Override
  public long getOldestSeqIdOfStore(byte[] a0) {
    throw unserved("getOldestSeqIdOfStore");
  }

  @Override
  public long getOpenSeqNum() {
    throw unserved("getOpenSeqNum");
  }

  @Override
  org.apache.hadoop.hbase.regionserver.HRegion.PrepareFlushResult getPrepareFlushResult() {
    throw unserved("getPrepareFlushResult");
  }

  @Override
  public int getReadLockCount() {
    throw unserved("getReadLockCount");
  }

  @Override
  public org.apache.hadoop.conf.Configuration getReadOnlyConfiguration() {
    throw unserved("getReadOnlyConfiguration");
  }

  @Override
  public long getReadPoint(org.apache.hadoop.hbase.client.IsolationLevel a0) {
    throw unserved("getReadPoint");
  }

  @Override
  public long getReadRequestsCount() {
    throw unserved("getReadRequestsCount");
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
  org.apache.hadoop.hbase.regionserver.RegionServerServices getRegionServerServices() {
    throw unserved("getRegionServerServices");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.RegionServicesForStores getRegionServicesForStores() {
    throw unserved("getRegionServicesForStores");
  }

  @Override
  org.apache.hadoop.hbase.regionserver.HRegionWALFileSystem getRegionWALFileSystem()
      throws java.io.IOException {
    throw unserved("getRegionWALFileSystem");
  }

  @Override
  public java.util.NavigableMap<byte[], java.lang.Integer> getReplicationScope() {
    throw unserved("getReplicationScope");
  }

  @Override
  protected org.apache.hadoop.hbase.regionserver.Region.RowLock getRowLockInternal(
      byte[] a0, boolean a1, org.apache.hadoop.hbase.regionserver.Region.RowLock a2)
      throws java.io.IOException {
    throw unserved("getRowLockInternal");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.Region.RowLock getRowLock(byte[] a0, boolean a1)
      throws java.io.IOException {
    throw unserved("getRowLock");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.Region.RowLock getRowLock(byte[] a0)
      throws java.io.IOException {
    throw unserved("getRowLock");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.RegionScannerImpl getScanner(
      org.apache.hadoop.hbase.client.Scan a0,
      java.util.List<org.apache.hadoop.hbase.regionserver.KeyValueScanner> a1)
      throws java.io.IOException {
    throw unserved("getScanner");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.RegionScannerImpl getScanner(
      org.apache.hadoop.hbase.client.Scan a0) throws java.io.IOException {
    throw unserved("getScanner");
  }

  @Override
  public long getSmallestReadPoint() {
    throw unserved("getSmallestReadPoint");
  }

  @Override
  org.apache.hadoop.hbase.regionserver.RegionSplitPolicy getSplitPolicy() {
    throw unserved("getSplitPolicy");
  }

  @Override
  public java.util.List<java.lang.String> getStoreFileList(byte[][] a0)
      throws java.lang.IllegalArgumentException {
    throw unserved("getStoreFileList");
  }

  @Override
  java.util.concurrent.ThreadPoolExecutor getStoreFileOpenAndCloseThreadPool(java.lang.String a0) {
    throw unserved("getStoreFileOpenAndCloseThreadPool");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.HStore getStore(byte[] a0) {
    throw unserved("getStore");
  }

  @Override
  public java.util.List<org.apache.hadoop.hbase.regionserver.HStore> getStores() {
    throw unserved("getStores");
  }

  @Override
  public org.apache.hadoop.hbase.client.TableDescriptor getTableDescriptor() {
    throw unserved("getTableDescriptor");
  }

  @Override
  public org.apache.hadoop.fs.Path getWALRegionDir() throws java.io.IOException {
    throw unserved("getWALRegionDir");
  }

  @Override
  public org.apache.hadoop.hbase.wal.WAL getWAL() {
    throw unserved("getWAL");
  }

  @Override
  org.apache.hadoop.fs.FileSystem getWalFileSystem() throws java.io.IOException {
    throw unserved("getWalFileSystem");
  }

  @Override
  public long getWriteRequestsCount() {
    throw unserved("getWriteRequestsCount");
  }

  @Override
  public java.util.List<org.apache.hadoop.hbase.Cell> get(
      org.apache.hadoop.hbase.client.Get a0, boolean a1) throws java.io.IOException {
    throw unserved("get");
  }

  @Override
  public org.apache.hadoop.hbase.client.Result get(org.apache.hadoop.hbase.client.Get a0)
      throws java.io.IOException {
    throw unserved("get");
  }

  @Override
  public boolean hasReferences() {
    throw unserved("hasReferences");
  }

  @Override
  public long heapSize() {
    throw unserved("heapSize");
  }

  @Override
  void incMemStoreSize(long a0, long a1, long a2, int a3) {
    throw unserved("incMemStoreSize");
  }

  @Override
  public void incrementCompactionsQueuedCount() {
    throw unserved("incrementCompactionsQueuedCount");
  }

  @Override
  public void incrementFlushesQueuedCount() {
    throw unserved("incrementFlushesQueuedCount");
  }

  @Override
  public org.apache.hadoop.hbase.client.Result increment(
      org.apache.hadoop.hbase.client.Increment a0, long a1, long a2) throws java.io.IOException {
    throw unserved("increment");
  }

  @Override
  public org.apache.hadoop.hbase.client.Result increment(
      org.apache.hadoop.hbase.client.Increment a0) throws java.io.IOException {
    throw unserved("increment");
  }

  @Override
  public long initialize() throws java.io.IOException {
    throw unserved("initialize");
  }

  @Override
  long initialize(org.apache.hadoop.hbase.util.CancelableProgressable a0)
      throws java.io.IOException {
    throw unserved("initialize");
  }

  @Override
  protected org.apache.hadoop.hbase.regionserver.HStore instantiateHStore(
      org.apache.hadoop.hbase.client.ColumnFamilyDescriptor a0, boolean a1)
      throws java.io.IOException {
    throw unserved("instantiateHStore");
  }

  @Override
  protected org.apache.hadoop.hbase.regionserver.RegionScannerImpl instantiateRegionScanner(
      org.apache.hadoop.hbase.client.Scan a0,
      java.util.List<org.apache.hadoop.hbase.regionserver.KeyValueScanner> a1,
      long a2,
      long a3)
      throws java.io.IOException {
    throw unserved("instantiateRegionScanner");
  }

  @Override
  org.apache.hadoop.hbase.regionserver.HRegion.FlushResultImpl internalFlushCacheAndCommit(
      org.apache.hadoop.hbase.wal.WAL a0,
      org.apache.hadoop.hbase.monitoring.MonitoredTask a1,
      org.apache.hadoop.hbase.regionserver.HRegion.PrepareFlushResult a2,
      java.util.Collection<org.apache.hadoop.hbase.regionserver.HStore> a3)
      throws java.io.IOException {
    throw unserved("internalFlushCacheAndCommit");
  }

  @Override
  protected org.apache.hadoop.hbase.regionserver.HRegion.FlushResultImpl internalFlushcache(
      org.apache.hadoop.hbase.wal.WAL a0,
      long a1,
      java.util.Collection<org.apache.hadoop.hbase.regionserver.HStore> a2,
      org.apache.hadoop.hbase.monitoring.MonitoredTask a3,
      boolean a4,
      org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker a5)
      throws java.io.IOException {
    throw unserved("internalFlushcache");
  }

  @Override
  protected org.apache.hadoop.hbase.regionserver.HRegion.PrepareFlushResult
      internalPrepareFlushCache(
          org.apache.hadoop.hbase.wal.WAL a0,
          long a1,
          java.util.Collection<org.apache.hadoop.hbase.regionserver.HStore> a2,
          org.apache.hadoop.hbase.monitoring.MonitoredTask a3,
          boolean a4,
          org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker a5)
          throws java.io.IOException {
    throw unserved("internalPrepareFlushCache");
  }

  @Override
  public boolean isAvailable() {
    throw unserved("isAvailable");
  }

  @Override
  public boolean isClosed() {
    throw unserved("isClosed");
  }

  @Override
  public boolean isClosing() {
    throw unserved("isClosing");
  }

  @Override
  public boolean isLoadingCfsOnDemandDefault() {
    throw unserved("isLoadingCfsOnDemandDefault");
  }

  @Override
  public boolean isMergeable() {
    throw unserved("isMergeable");
  }

  @Override
  public boolean isReadOnly() {
    throw unserved("isReadOnly");
  }

  @Override
  boolean isReadsEnabled() {
    throw unserved("isReadsEnabled");
  }

  @Override
  public boolean isSplittable() {
    throw unserved("isSplittable");
  }

  @Override
  void metricsUpdateForGet(java.util.List<org.apache.hadoop.hbase.Cell> a0, long a1) {
    throw unserved("metricsUpdateForGet");
  }

  @Override
  public org.apache.hadoop.hbase.client.Result mutateRow(
      org.apache.hadoop.hbase.client.RowMutations a0, long a1, long a2) throws java.io.IOException {
    throw unserved("mutateRow");
  }

  @Override
  public org.apache.hadoop.hbase.client.Result mutateRow(
      org.apache.hadoop.hbase.client.RowMutations a0) throws java.io.IOException {
    throw unserved("mutateRow");
  }

  @Override
  public void mutateRowsWithLocks(
      java.util.Collection<org.apache.hadoop.hbase.client.Mutation> a0,
      java.util.Collection<byte[]> a1,
      long a2,
      long a3)
      throws java.io.IOException {
    throw unserved("mutateRowsWithLocks");
  }

  @Override
  public void onConfigurationChange(org.apache.hadoop.conf.Configuration a0) {
    throw unserved("onConfigurationChange");
  }

  @Override
  void prepareGet(org.apache.hadoop.hbase.client.Get a0) throws java.io.IOException {
    throw unserved("prepareGet");
  }

  @Override
  public void processRowsWithLocks(
      org.apache.hadoop.hbase.regionserver.RowProcessor<?, ?> a0, long a1, long a2, long a3)
      throws java.io.IOException {
    throw unserved("processRowsWithLocks");
  }

  @Override
  public void processRowsWithLocks(
      org.apache.hadoop.hbase.regionserver.RowProcessor<?, ?> a0, long a1, long a2)
      throws java.io.IOException {
    throw unserved("processRowsWithLocks");
  }

  @Override
  public void processRowsWithLocks(org.apache.hadoop.hbase.regionserver.RowProcessor<?, ?> a0)
      throws java.io.IOException {
    throw unserved("processRowsWithLocks");
  }

  @Override
  public void put(org.apache.hadoop.hbase.client.Put a0) throws java.io.IOException {
    throw unserved("put");
  }

  @Override
  public boolean refreshStoreFiles() throws java.io.IOException {
    throw unserved("refreshStoreFiles");
  }

  @Override
  protected boolean refreshStoreFiles(boolean a0) throws java.io.IOException {
    throw unserved("refreshStoreFiles");
  }

  @Override
  public void registerChildren(org.apache.hadoop.hbase.conf.ConfigurationManager a0) {
    throw unserved("registerChildren");
  }

  @Override
  public boolean registerService(com.google.protobuf.Service a0) {
    throw unserved("registerService");
  }

  @Override
  long replayRecoveredEditsIfAny(
      java.util.Map<byte[], java.lang.Long> a0,
      org.apache.hadoop.hbase.util.CancelableProgressable a1,
      org.apache.hadoop.hbase.monitoring.MonitoredTask a2)
      throws java.io.IOException {
    throw unserved("replayRecoveredEditsIfAny");
  }

  @Override
  void replayWALBulkLoadEventMarker(
      org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.BulkLoadDescriptor a0)
      throws java.io.IOException {
    throw unserved("replayWALBulkLoadEventMarker");
  }

  @Override
  void replayWALCompactionMarker(
      org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.CompactionDescriptor a0,
      boolean a1,
      boolean a2,
      long a3)
      throws java.io.IOException {
    throw unserved("replayWALCompactionMarker");
  }

  @Override
  void replayWALFlushCommitMarker(
      org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.FlushDescriptor a0)
      throws java.io.IOException {
    throw unserved("replayWALFlushCommitMarker");
  }

  @Override
  void replayWALFlushMarker(
      org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.FlushDescriptor a0, long a1)
      throws java.io.IOException {
    throw unserved("replayWALFlushMarker");
  }

  @Override
  org.apache.hadoop.hbase.regionserver.HRegion.PrepareFlushResult replayWALFlushStartMarker(
      org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.FlushDescriptor a0)
      throws java.io.IOException {
    throw unserved("replayWALFlushStartMarker");
  }

  @Override
  void replayWALRegionEventMarker(
      org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.RegionEventDescriptor a0)
      throws java.io.IOException {
    throw unserved("replayWALRegionEventMarker");
  }

  @Override
  public void reportCompactionRequestEnd(boolean a0, int a1, long a2) {
    throw unserved("reportCompactionRequestEnd");
  }

  @Override
  public void reportCompactionRequestFailure() {
    throw unserved("reportCompactionRequestFailure");
  }

  @Override
  public void reportCompactionRequestStart(boolean a0) {
    throw unserved("reportCompactionRequestStart");
  }

  @Override
  public void requestCompaction(
      byte[] a0,
      java.lang.String a1,
      int a2,
      boolean a3,
      org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker a4)
      throws java.io.IOException {
    throw unserved("requestCompaction");
  }

  @Override
  public void requestCompaction(
      java.lang.String a0,
      int a1,
      boolean a2,
      org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker a3)
      throws java.io.IOException {
    throw unserved("requestCompaction");
  }

  @Override
  public void requestFlush(org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker a0)
      throws java.io.IOException {
    throw unserved("requestFlush");
  }

  @Override
  protected void restoreEdit(
      org.apache.hadoop.hbase.regionserver.HStore a0,
      org.apache.hadoop.hbase.Cell a1,
      org.apache.hadoop.hbase.regionserver.MemStoreSizing a2) {
    throw unserved("restoreEdit");
  }

  @Override
  public void setBlockCache(org.apache.hadoop.hbase.io.hfile.BlockCache a0) {
    throw unserved("setBlockCache");
  }

  @Override
  public void setClosing(boolean a0) {
    throw unserved("setClosing");
  }

  @Override
  org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad.Builder
      setCompleteSequenceId(
          org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad.Builder
              a0) {
    throw unserved("setCompleteSequenceId");
  }

  @Override
  public void setCoprocessorHost(org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost a0) {
    throw unserved("setCoprocessorHost");
  }

  @Override
  public void setMobFileCache(org.apache.hadoop.hbase.mob.MobFileCache a0) {
    throw unserved("setMobFileCache");
  }

  @Override
  public void setReadsEnabled(boolean a0) {
    throw unserved("setReadsEnabled");
  }

  @Override
  public void setRestoredRegion(boolean a0) {
    throw unserved("setRestoredRegion");
  }

  @Override
  public void setTableDescriptor(org.apache.hadoop.hbase.client.TableDescriptor a0) {
    throw unserved("setTableDescriptor");
  }

  @Override
  public void setTimeoutForWriteLock(long a0) {
    throw unserved("setTimeoutForWriteLock");
  }

  @Override
  boolean shouldFlushStore(org.apache.hadoop.hbase.regionserver.HStore a0) {
    throw unserved("shouldFlushStore");
  }

  @Override
  boolean shouldFlush(java.lang.StringBuilder a0) {
    throw unserved("shouldFlush");
  }

  @Override
  public void startRegionOperation() throws java.io.IOException {
    throw unserved("startRegionOperation");
  }

  @Override
  public void startRegionOperation(org.apache.hadoop.hbase.regionserver.Region.Operation a0)
      throws java.io.IOException {
    throw unserved("startRegionOperation");
  }

  @Override
  void throwException(java.lang.String a0, java.lang.String a1) {
    throw unserved("throwException");
  }

  @Override
  java.io.IOException throwOnInterrupt(java.lang.Throwable a0) {
    throw unserved("throwOnInterrupt");
  }

  @Override
  public void unblockUpdates() {
    throw unserved("unblockUpdates");
  }

  @Override
  public void waitForFlushesAndCompactions() {
    throw unserved("waitForFlushesAndCompactions");
  }

  @Override
  public void waitForFlushes() {
    throw unserved("waitForFlushes");
  }

  @Override
  public boolean waitForFlushes(long a0) {
    throw unserved("waitForFlushes");
  }

  @Override
  protected void writeRegionOpenMarker(org.apache.hadoop.hbase.wal.WAL a0, long a1)
      throws java.io.IOException {
    throw unserved("writeRegionOpenMarker");
  }
}
