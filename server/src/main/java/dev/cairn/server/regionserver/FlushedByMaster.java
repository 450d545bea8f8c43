package dev.cairn.server.regionserver;

import dev.cairn.engine.wal.FlushedEdits;
import dev.cairn.engine.wal.FlushedSequences;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.GetLastFlushedSequenceIdResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the master up to where regions of a dead server are in store files. The master knows it from
 * the last report of the server. Asks no more after a failure. For one split; not thread-safe.
 */
final class FlushedByMaster implements FlushedEdits {
  private static final Logger LOG = LoggerFactory.getLogger(FlushedByMaster.class);

  private final MasterLink master;
  private boolean failed;

  FlushedByMaster(MasterLink master) {
    this.master = master;
  }

  @Override
  public FlushedSequences of(String region) {
    if (failed) {
      return FlushedSequences.NONE;
    }
    try {
      return sequences(master.flushed(region));
    } catch (IOException e) {
      LOG.info("The master does not tell what is flushed; nothing is left out: {}", e.toString());
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
