package dev.cairn.coprocessor.load;

import java.util.Set;

/** Groups the names of hooks by the part of the module that calls them. */
public final class HookGroups {
  /** The hooks of {@code RegionObserver} for writes. */
  public static final Set<String> WRITES =
      Set.of(
          "prePut",
          "postPut",
          "preDelete",
          "prePrepareTimeStampForDeleteVersion",
          "postDelete",
          "preBatchMutate",
          "postBatchMutate",
          "postBatchMutateIndispensably",
          "preCheckAndPut",
          "preCheckAndPutAfterRowLock",
          "postCheckAndPut",
          "preCheckAndDelete",
          "preCheckAndDeleteAfterRowLock",
          "postCheckAndDelete",
          "preCheckAndMutate",
          "preCheckAndMutateAfterRowLock",
          "postCheckAndMutate",
          "preAppend",
          "preAppendAfterRowLock",
          "postAppend",
          "preIncrement",
          "preIncrementAfterRowLock",
          "postIncrement",
          "postMutationBeforeWAL",
          "postIncrementBeforeWAL",
          "postAppendBeforeWAL",
          "preWALAppend",
          "postStartRegionOperation",
          "postCloseRegionOperation");

  /** The hooks of {@code RegionObserver} for reads. */
  public static final Set<String> READS =
      Set.of(
          "preGetOp",
          "postGetOp",
          "preExists",
          "postExists",
          "preStoreScannerOpen",
          "preScannerOpen",
          "postScannerOpen",
          "preScannerNext",
          "postScannerNext",
          "preScannerClose",
          "postScannerClose",
          "postStartRegionOperation",
          "postCloseRegionOperation",
          "postScannerFilterRow",
          "postInstantiateDeleteTracker");

  /** The hooks of {@code RegionObserver} for flushes, compactions, bulk loads and store files. */
  public static final Set<String> FILES =
      Set.of(
          "preFlush",
          "postFlush",
          "preFlushScannerOpen",
          "preCompactSelection",
          "postCompactSelection",
          "preCompactScannerOpen",
          "preCompact",
          "postCompact",
          "preBulkLoadHFile",
          "preCommitStoreFile",
          "postCommitStoreFile",
          "postBulkLoadHFile",
          "preStoreFileReaderOpen",
          "postStoreFileReaderOpen");

  /** The hooks of {@code RegionObserver} for the recovered edits of a region that opens. */
  public static final Set<String> REPLAYS =
      Set.of("preReplayWALs", "postReplayWALs", "preWALRestore", "postWALRestore");

  /** The hooks of {@code EndpointObserver}. */
  public static final Set<String> ENDPOINTS =
      Set.of("preEndpointInvocation", "postEndpointInvocation");

  /** The hooks of {@code RegionServerObserver}, except those of replication. */
  public static final Set<String> SERVER =
      Set.of(
          "preStopRegionServer",
          "preRollWALWriterRequest",
          "postRollWALWriterRequest",
          "preClearCompactionQueues",
          "postClearCompactionQueues",
          "preExecuteProcedures",
          "postExecuteProcedures",
          "preClearRegionBlockCache",
          "postClearRegionBlockCache",
          "preUpdateRegionServerConfiguration",
          "postUpdateRegionServerConfiguration");

  /** The hooks of {@code WALObserver}. */
  public static final Set<String> LOG =
      Set.of("preWALWrite", "postWALWrite", "preWALRoll", "postWALRoll");

  private HookGroups() {}
}
