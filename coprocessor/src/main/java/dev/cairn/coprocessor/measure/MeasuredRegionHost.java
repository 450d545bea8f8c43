package dev.cairn.coprocessor.measure;

import com.google.protobuf.Message;
import com.google.protobuf.Service;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/**
 * HBase's host of a region's coprocessors, which measures each call of a hook. Its environments are
 * {@linkplain MeasuredEnvironment measured}, too. Thread-safe.
 */
@SuppressWarnings("deprecation") // coprocessors may still have older hooks
public abstract class MeasuredRegionHost extends RegionCoprocessorHost {
  /** Creates a host, and loads its coprocessors. */
  protected MeasuredRegionHost(
      HRegion region, RegionServerServices services, Configuration settings) {
    super(region, services, settings);
  }

  /** Returns the meter of the region's hooks. Called before a subclass is initialized, too. */
  public abstract RegionMeter meter();

  private HookCall begin(String hook) {
    return meter().begin(hook);
  }

  @Override
  public void preOpen() throws IOException {
    try (HookCall call = begin("preOpen")) {
      super.preOpen();
    }
  }

  @Override
  public void postOpen() {
    try (HookCall call = begin("postOpen")) {
      super.postOpen();
    }
  }

  @Override
  public void preClose(boolean abort) throws IOException {
    try (HookCall call = begin("preClose")) {
      super.preClose(abort);
    }
  }

  @Override
  public void postClose(boolean abort) {
    try (HookCall call = begin("postClose")) {
      super.postClose(abort);
    }
  }

  @Override
  public boolean preCompactSelection(
      HStore store, List<HStoreFile> files, CompactionLifeCycleTracker tracker, User user)
      throws IOException {
    try (HookCall call = begin("preCompactSelection")) {
      return super.preCompactSelection(store, files, tracker, user);
    }
  }

  @Override
  public void postCompactSelection(
      HStore store,
      List<HStoreFile> files,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request,
      User user)
      throws IOException {
    try (HookCall call = begin("postCompactSelection")) {
      super.postCompactSelection(store, files, tracker, request, user);
    }
  }

  @Override
  public ScanInfo preCompactScannerOpen(
      HStore store,
      ScanType type,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request,
      User user)
      throws IOException {
    try (HookCall call = begin("preCompactScannerOpen")) {
      return super.preCompactScannerOpen(store, type, tracker, request, user);
    }
  }

  @Override
  public InternalScanner preCompact(
      HStore store,
      InternalScanner scanner,
      ScanType type,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request,
      User user)
      throws IOException {
    try (HookCall call = begin("preCompact")) {
      return super.preCompact(store, scanner, type, tracker, request, user);
    }
  }

  @Override
  public void postCompact(
      HStore store,
      HStoreFile file,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request,
      User user)
      throws IOException {
    try (HookCall call = begin("postCompact")) {
      super.postCompact(store, file, tracker, request, user);
    }
  }

  @Override
  public ScanInfo preFlushScannerOpen(HStore store, FlushLifeCycleTracker tracker)
      throws IOException {
    try (HookCall call = begin("preFlushScannerOpen")) {
      return super.preFlushScannerOpen(store, tracker);
    }
  }

  @Override
  public InternalScanner preFlush(
      HStore store, InternalScanner scanner, FlushLifeCycleTracker tracker) throws IOException {
    try (HookCall call = begin("preFlush")) {
      return super.preFlush(store, scanner, tracker);
    }
  }

  @Override
  public void preFlush(FlushLifeCycleTracker tracker) throws IOException {
    try (HookCall call = begin("preFlush")) {
      super.preFlush(tracker);
    }
  }

  @Override
  public void postFlush(FlushLifeCycleTracker tracker) throws IOException {
    try (HookCall call = begin("postFlush")) {
      super.postFlush(tracker);
    }
  }

  @Override
  public void postFlush(HStore store, HStoreFile file, FlushLifeCycleTracker tracker)
      throws IOException {
    try (HookCall call = begin("postFlush")) {
      super.postFlush(store, file, tracker);
    }
  }

  @Override
  public boolean preGet(Get get, List<Cell> cells) throws IOException {
    try (HookCall call = begin("preGetOp")) {
      return super.preGet(get, cells);
    }
  }

  @Override
  public void postGet(Get get, List<Cell> cells) throws IOException {
    try (HookCall call = begin("postGetOp")) {
      super.postGet(get, cells);
    }
  }

  @Override
  public Boolean preExists(Get get) throws IOException {
    try (HookCall call = begin("preExists")) {
      return super.preExists(get);
    }
  }

  @Override
  public boolean postExists(Get get, boolean exists) throws IOException {
    try (HookCall call = begin("postExists")) {
      return super.postExists(get, exists);
    }
  }

  @Override
  public boolean prePut(Put put, WALEdit edit) throws IOException {
    try (HookCall call = begin("prePut")) {
      return super.prePut(put, edit);
    }
  }

  @Override
  public boolean prePrepareTimeStampForDeleteVersion(
      Mutation mutation, Cell cell, byte[] bytes, Get get) throws IOException {
    try (HookCall call = begin("prePrepareTimeStampForDeleteVersion")) {
      return super.prePrepareTimeStampForDeleteVersion(mutation, cell, bytes, get);
    }
  }

  @Override
  public void postPut(Put put, WALEdit edit) throws IOException {
    try (HookCall call = begin("postPut")) {
      super.postPut(put, edit);
    }
  }

  @Override
  public boolean preDelete(Delete delete, WALEdit edit) throws IOException {
    try (HookCall call = begin("preDelete")) {
      return super.preDelete(delete, edit);
    }
  }

  @Override
  public void postDelete(Delete delete, WALEdit edit) throws IOException {
    try (HookCall call = begin("postDelete")) {
      super.postDelete(delete, edit);
    }
  }

  @Override
  public void preBatchMutate(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    try (HookCall call = begin("preBatchMutate")) {
      super.preBatchMutate(batch);
    }
  }

  @Override
  public void postBatchMutate(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    try (HookCall call = begin("postBatchMutate")) {
      super.postBatchMutate(batch);
    }
  }

  @Override
  public void postBatchMutateIndispensably(
      MiniBatchOperationInProgress<Mutation> batch, boolean flag) throws IOException {
    try (HookCall call = begin("postBatchMutateIndispensably")) {
      super.postBatchMutateIndispensably(batch, flag);
    }
  }

  @Override
  public CheckAndMutateResult preCheckAndMutate(CheckAndMutate check) throws IOException {
    try (HookCall call = begin("preCheckAndMutate")) {
      return super.preCheckAndMutate(check);
    }
  }

  @Override
  public CheckAndMutateResult preCheckAndMutateAfterRowLock(CheckAndMutate check)
      throws IOException {
    try (HookCall call = begin("preCheckAndMutateAfterRowLock")) {
      return super.preCheckAndMutateAfterRowLock(check);
    }
  }

  @Override
  public CheckAndMutateResult postCheckAndMutate(CheckAndMutate check, CheckAndMutateResult result)
      throws IOException {
    try (HookCall call = begin("postCheckAndMutate")) {
      return super.postCheckAndMutate(check, result);
    }
  }

  @Override
  public Result preAppend(Append append, WALEdit edit) throws IOException {
    try (HookCall call = begin("preAppend")) {
      return super.preAppend(append, edit);
    }
  }

  @Override
  public Result preAppendAfterRowLock(Append append) throws IOException {
    try (HookCall call = begin("preAppendAfterRowLock")) {
      return super.preAppendAfterRowLock(append);
    }
  }

  @Override
  public Result preIncrement(Increment increment, WALEdit edit) throws IOException {
    try (HookCall call = begin("preIncrement")) {
      return super.preIncrement(increment, edit);
    }
  }

  @Override
  public Result preIncrementAfterRowLock(Increment increment) throws IOException {
    try (HookCall call = begin("preIncrementAfterRowLock")) {
      return super.preIncrementAfterRowLock(increment);
    }
  }

  @Override
  public Result postAppend(Append append, Result result, WALEdit edit) throws IOException {
    try (HookCall call = begin("postAppend")) {
      return super.postAppend(append, result, edit);
    }
  }

  @Override
  public Result postIncrement(Increment increment, Result result, WALEdit edit) throws IOException {
    try (HookCall call = begin("postIncrement")) {
      return super.postIncrement(increment, result, edit);
    }
  }

  @Override
  public void preScannerOpen(Scan scan) throws IOException {
    try (HookCall call = begin("preScannerOpen")) {
      super.preScannerOpen(scan);
    }
  }

  @Override
  public RegionScanner postScannerOpen(Scan scan, RegionScanner scanner) throws IOException {
    try (HookCall call = begin("postScannerOpen")) {
      return super.postScannerOpen(scan, scanner);
    }
  }

  @Override
  public Boolean preScannerNext(InternalScanner scanner, List<Result> results, int count)
      throws IOException {
    try (HookCall call = begin("preScannerNext")) {
      return super.preScannerNext(scanner, results, count);
    }
  }

  @Override
  public boolean postScannerNext(
      InternalScanner scanner, List<Result> results, int count, boolean flag) throws IOException {
    try (HookCall call = begin("postScannerNext")) {
      return super.postScannerNext(scanner, results, count, flag);
    }
  }

  @Override
  public boolean postScannerFilterRow(InternalScanner scanner, Cell cell) throws IOException {
    try (HookCall call = begin("postScannerFilterRow")) {
      return super.postScannerFilterRow(scanner, cell);
    }
  }

  @Override
  public boolean preScannerClose(InternalScanner scanner) throws IOException {
    try (HookCall call = begin("preScannerClose")) {
      return super.preScannerClose(scanner);
    }
  }

  @Override
  public void postScannerClose(InternalScanner scanner) throws IOException {
    try (HookCall call = begin("postScannerClose")) {
      super.postScannerClose(scanner);
    }
  }

  @Override
  public ScanInfo preStoreScannerOpen(HStore store, Scan scan) throws IOException {
    try (HookCall call = begin("preStoreScannerOpen")) {
      return super.preStoreScannerOpen(store, scan);
    }
  }

  @Override
  public void preBulkLoadHFile(List<Pair<byte[], String>> pairs) throws IOException {
    try (HookCall call = begin("preBulkLoadHFile")) {
      super.preBulkLoadHFile(pairs);
    }
  }

  @Override
  public boolean preCommitStoreFile(byte[] bytes, List<Pair<Path, Path>> pairs) throws IOException {
    try (HookCall call = begin("preCommitStoreFile")) {
      return super.preCommitStoreFile(bytes, pairs);
    }
  }

  @Override
  public void postCommitStoreFile(byte[] bytes, Path path, Path path2) throws IOException {
    try (HookCall call = begin("postCommitStoreFile")) {
      super.postCommitStoreFile(bytes, path, path2);
    }
  }

  @Override
  public void postBulkLoadHFile(List<Pair<byte[], String>> pairs, Map<byte[], List<Path>> loaded)
      throws IOException {
    try (HookCall call = begin("postBulkLoadHFile")) {
      super.postBulkLoadHFile(pairs, loaded);
    }
  }

  @Override
  public void postStartRegionOperation(Region.Operation operation) throws IOException {
    try (HookCall call = begin("postStartRegionOperation")) {
      super.postStartRegionOperation(operation);
    }
  }

  @Override
  public void postCloseRegionOperation(Region.Operation operation) throws IOException {
    try (HookCall call = begin("postCloseRegionOperation")) {
      super.postCloseRegionOperation(operation);
    }
  }

  @Override
  public StoreFileReader preStoreFileReaderOpen(
      FileSystem storage,
      Path path,
      FSDataInputStreamWrapper in,
      long size,
      CacheConfig cache,
      Reference reference)
      throws IOException {
    try (HookCall call = begin("preStoreFileReaderOpen")) {
      return super.preStoreFileReaderOpen(storage, path, in, size, cache, reference);
    }
  }

  @Override
  public StoreFileReader postStoreFileReaderOpen(
      FileSystem storage,
      Path path,
      FSDataInputStreamWrapper in,
      long size,
      CacheConfig cache,
      Reference reference,
      StoreFileReader reader)
      throws IOException {
    try (HookCall call = begin("postStoreFileReaderOpen")) {
      return super.postStoreFileReaderOpen(storage, path, in, size, cache, reference, reader);
    }
  }

  @Override
  public List<Pair<Cell, Cell>> postIncrementBeforeWAL(
      Mutation mutation, List<Pair<Cell, Cell>> pairs) throws IOException {
    try (HookCall call = begin("postIncrementBeforeWAL")) {
      return super.postIncrementBeforeWAL(mutation, pairs);
    }
  }

  @Override
  public List<Pair<Cell, Cell>> postAppendBeforeWAL(Mutation mutation, List<Pair<Cell, Cell>> pairs)
      throws IOException {
    try (HookCall call = begin("postAppendBeforeWAL")) {
      return super.postAppendBeforeWAL(mutation, pairs);
    }
  }

  @Override
  public void preWALAppend(WALKey key, WALEdit edit) throws IOException {
    try (HookCall call = begin("preWALAppend")) {
      super.preWALAppend(key, edit);
    }
  }

  @Override
  public Message preEndpointInvocation(Service service, String method, Message request)
      throws IOException {
    try (HookCall call = begin("preEndpointInvocation")) {
      return super.preEndpointInvocation(service, method, request);
    }
  }

  @Override
  public void postEndpointInvocation(
      Service service, String method, Message request, Message.Builder answer) throws IOException {
    try (HookCall call = begin("postEndpointInvocation")) {
      super.postEndpointInvocation(service, method, request, answer);
    }
  }

  @Override
  public DeleteTracker postInstantiateDeleteTracker(DeleteTracker tracker) throws IOException {
    try (HookCall call = begin("postInstantiateDeleteTracker")) {
      return super.postInstantiateDeleteTracker(tracker);
    }
  }

  @Override
  public void prePrepareBulkLoad(User user) throws IOException {
    try (HookCall call = begin("prePrepareBulkLoad")) {
      super.prePrepareBulkLoad(user);
    }
  }

  @Override
  public void preCleanupBulkLoad(User user) throws IOException {
    try (HookCall call = begin("preCleanupBulkLoad")) {
      super.preCleanupBulkLoad(user);
    }
  }

  @Override
  public void preReplayWALs(RegionInfo info, Path path) throws IOException {
    try (HookCall call = begin("preReplayWALs")) {
      super.preReplayWALs(info, path);
    }
  }

  @Override
  public void postReplayWALs(RegionInfo info, Path path) throws IOException {
    try (HookCall call = begin("postReplayWALs")) {
      super.postReplayWALs(info, path);
    }
  }

  @Override
  public boolean preWALRestore(RegionInfo info, WALKey key, WALEdit edit) throws IOException {
    try (HookCall call = begin("preWALRestore")) {
      return super.preWALRestore(info, key, edit);
    }
  }

  @Override
  public void postWALRestore(RegionInfo info, WALKey key, WALEdit edit) throws IOException {
    try (HookCall call = begin("postWALRestore")) {
      super.postWALRestore(info, key, edit);
    }
  }
}
