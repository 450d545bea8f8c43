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
          "preWALAppend");

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
          "postScannerClose");

  private HookGroups() {}
}
