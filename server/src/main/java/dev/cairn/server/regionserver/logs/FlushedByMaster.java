package dev.cairn.server.regionserver.logs;

import dev.cairn.engine.wal.split.FlushedEdits;
import dev.cairn.engine.wal.split.FlushedSequences;
import dev.cairn.server.regionserver.membership.MasterLink;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.GetLastFlushedSequenceIdResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the master up to which sequence number regions of a dead server are in store files. The
 * master has it from the last report of the server. Does not ask again after a failure. For one
 * split; not thread-safe.
 */
final class FlushedByMaster implements FlushedEdits {
  private static final Logger LOG = LoggerFactory.getLogger(FlushedByMaster.class);

  private final MasterLink master;
  private boolean failed;

  FlushedByMaster(MasterLink master) {
    this.master = master;
  }

  @Override
  public FlushedSequences flushedOf(String region) {
    if (failed) {
      return FlushedSequences.NONE;
    }
    try {
      return sequences(master.flushed(region));
    } catch (IOException e) {
      LOG.info(
          "The master does not say which edits are flushed, so the split leaves out none: {}",
          e.toString());
      failed = true;
      return FlushedSequences.NONE;
    }
  }

  private static FlushedSequences sequences(GetLastFlushedSequenceIdResponse answer) {
    return new FlushedSequences(
        answer.getStoreLastFlushedSequenceIdList().stream()
            .map(
                store ->
                    new FlushedSequences.Family(
                        store.getFamilyName().toByteArray(), store.getSequenceId()))
            .toList());
  }
}
