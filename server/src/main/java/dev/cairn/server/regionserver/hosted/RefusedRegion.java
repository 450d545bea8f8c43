package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.RegionSnapshot;
import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.region.bulkload.BulkLoadOutcome;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * Stands in for a region that this server cannot serve: as its writes are refused as well, every
 * call gets the reason. Its files are not touched. Without it, clients would look for the region
 * for minutes and never hear why.
 *
 * @param reason the whole message
 * @param openSequence the sequence number to report
 */
record RefusedRegion(String reason, long openSequence) implements RegionReads, RegionMaintenance {
  private DoNotRetryIOException error() {
    return new DoNotRetryIOException(reason);
  }

  @Override
  public RegionRead read(ScanRequest request, ReadBudget budget) throws IOException {
    throw error();
  }

  /** Has nothing to write: none was ever taken. */
  @Override
  public boolean flush(FlushScope scope) {
    return false;
  }

  @Override
  public void compact(byte[] family, boolean major) throws IOException {
    throw error();
  }

  @Override
  public BulkLoadOutcome bulkLoad(BulkLoadRequest request) throws IOException {
    throw error();
  }

  @Override
  public RegionSnapshot snapshot(RegionSnapshot.Memory memory) throws IOException {
    throw error();
  }

  @Override
  public void close(boolean abort) {}

  @Override
  public Optional<String> refusal() {
    return Optional.of(reason);
  }

  @Override
  public RegionStatistics statistics() {
    return new RegionStatistics(0, 0, 0, 0, 0, 0, 0, openSequence, openSequence, List.of(), 0, 0);
  }
}
