package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.explain.Explanation;
import dev.cairn.engine.region.Condition;
import dev.cairn.engine.region.FlushScope;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.MutationOutcome;
import dev.cairn.engine.region.QuickScan;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionSplit;
import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.scan.RegionScanner;
import dev.cairn.engine.scan.ScanLimits;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * An open region as this server hosts it: who it is, the ways to use it, and how often it was used.
 * Thread-safe.
 */
public final class HostedRegion {
  private final RegionInfo info;
  private final String encodedName;
  private final ByteString name;
  private final TableSchema schema;
  private final RegionReads reads;
  private final RegionWrites writes;
  private final RegionUpkeep upkeep;
  private final LongAdder readRequests;
  private final LongAdder writeRequests = new LongAdder();
  private final TryHistory shortScans = new TryHistory();
  private final TryHistory openEndedScans = new TryHistory();

  /** Creates a hosted region from its parts. */
  public HostedRegion(
      RegionInfo info,
      TableSchema schema,
      RegionReads reads,
      RegionWrites writes,
      RegionUpkeep upkeep) {
    this(info, schema, reads, writes, upkeep, new LongAdder());
  }

  private HostedRegion(
      RegionInfo info,
      TableSchema schema,
      RegionReads reads,
      RegionWrites writes,
      RegionUpkeep upkeep,
      LongAdder readRequests) {
    this.readRequests = readRequests;
    this.info = info;
    this.encodedName = info.encodedName();
    this.name = ByteString.copyFrom(info.regionName());
    this.schema = schema;
    this.reads = reads;
    this.writes = writes;
    this.upkeep = upkeep;
  }

  /** Hosts a region of the engine. */
  public static HostedRegion of(Region region) {
    return new HostedRegion(
        region.info(), region.schema(), reads(region), writes(region), upkeep(region));
  }

  /**
   * Hosts a region that cannot be served.
   *
   * @param openSequence the sequence number to report to the master
   * @param reason what every call is told, a sentence
   */
  public static HostedRegion refused(
      RegionInfo info, TableSchema schema, long openSequence, String reason) {
    RefusedRegion region = new RefusedRegion(reason, openSequence);
    return new HostedRegion(info, schema, region, region, region);
  }

  /**
   * Returns the same region, with writes that tell {@code fatal} when the log failed: then nothing
   * may be written any more, and the server has to go.
   */
  HostedRegion watchedBy(Consumer<Throwable> fatal) {
    return new HostedRegion(info, schema, reads, new WatchedWrites(writes, fatal), upkeep);
  }

  /** Returns the same region, with writes that are refused while memstores hold too much. */
  HostedRegion boundedBy(MemStorePressure pressure) {
    return info.table().isMeta()
        ? this // Or nothing could be opened, moved or closed any more.
        : new HostedRegion(info, schema, reads, new BoundedWrites(writes, pressure), upkeep);
  }

  /**
   * Returns a replica of this region: the same cells, read only. It is where the region is, so a
   * read of it is as fresh as one of the region.
   *
   * @param id the replica's number, from 1
   */
  HostedRegion replica(int id) {
    return new HostedRegion(
        info.replica(id), schema, reads, new ReplicaWrites(info), upkeep, readRequests);
  }

  /** Tells whether this is not the region itself. */
  boolean isReplica() {
    return info.replicaId() != 0;
  }

  /** Returns which region this is. */
  public RegionInfo info() {
    return info;
  }

  /** Returns the region's short name. */
  public String encodedName() {
    return encodedName;
  }

  /** Returns the region's full name. */
  public ByteString name() {
    return name;
  }

  /** Returns the table's descriptor as of the region's opening. */
  public TableSchema schema() {
    return schema;
  }

  /** Returns how to read, and counts {@code requests} of it. */
  public RegionReads reads(int requests) {
    readRequests.add(requests);
    return reads;
  }

  /**
   * Returns how it went lately when scans were answered on the network thread.
   *
   * @param openEnded of those that ask for any number of rows, or of the others
   */
  TryHistory quickScans(boolean openEnded) {
    return openEnded ? openEndedScans : shortScans;
  }

  /** Returns how to write, and counts {@code requests} of it. */
  public RegionWrites writes(int requests) {
    writeRequests.add(requests);
    return writes;
  }

  /** Returns how to flush, compact, measure and close. */
  public RegionUpkeep upkeep() {
    return upkeep;
  }

  /** Returns how many rows were asked for since the region was opened. */
  public long readRequestCount() {
    return readRequests.sum();
  }

  /** Returns how many mutations came since the region was opened. */
  public long writeRequestCount() {
    return writeRequests.sum();
  }

  @Override
  public String toString() {
    return info.regionNameAsString();
  }

  private static RegionReads reads(Region region) {
    return new RegionReads() {
      @Override
      public void get(ScanRequest request, CellBuffer out) throws IOException {
        region.get(request, out);
      }

      @Override
      public boolean tryGet(ScanRequest request, CellBuffer out, ScanLimits limits)
          throws IOException {
        return region.tryGet(request, out, limits);
      }

      @Override
      public RegionScanner scan(ScanRequest request) throws IOException {
        return region.scan(request);
      }

      @Override
      public Optional<QuickScan> tryScan(ScanRequest request) throws IOException {
        return region.tryScan(request);
      }

      @Override
      public Explanation explain(ScanRequest request, int rowsMax, int cellsMax)
          throws IOException {
        return region.explain(request, rowsMax, cellsMax);
      }
    };
  }

  private static RegionWrites writes(Region region) {
    return new RegionWrites() {
      @Override
      public List<MutationOutcome> mutate(List<Mutation> batch) throws IOException {
        return region.mutate(batch);
      }

      @Override
      public Optional<CompletableFuture<Void>> tryMutate(Mutation mutation) throws IOException {
        return region.tryMutate(mutation);
      }

      @Override
      public CellBuffer mutateAtomically(List<Mutation> mutations) throws IOException {
        return region.mutateAtomically(mutations);
      }

      @Override
      public Optional<CellBuffer> checkAndMutate(Condition condition, List<Mutation> mutations)
          throws IOException {
        return region.checkAndMutate(condition, mutations);
      }

      @Override
      public Optional<CellBuffer> checkAndMutate(
          List<Condition> conditions, List<Mutation> mutations) throws IOException {
        return region.checkAndMutate(conditions, mutations);
      }
    };
  }

  private static RegionUpkeep upkeep(Region region) {
    return new RegionUpkeep() {
      @Override
      public boolean flush(FlushScope scope) throws IOException {
        return region.flush(scope);
      }

      @Override
      public boolean isFlushOverdue() {
        return region.isFlushOverdue();
      }

      @Override
      public boolean hasTooManyFiles() {
        return region.hasTooManyFiles();
      }

      @Override
      public boolean needsCompaction() {
        return region.needsCompaction();
      }

      @Override
      public void compact(Optional<byte[]> family, boolean major) throws IOException {
        if (family.isPresent()) {
          region.compact(family.get(), major);
        } else {
          region.compact(major);
        }
      }

      @Override
      public void close(boolean abort) throws IOException {
        region.close(abort);
      }

      @Override
      public boolean hasReferences() {
        return region.hasReferences();
      }

      @Override
      public Optional<byte[]> splitPoint() throws IOException {
        return RegionSplit.splitPoint(region);
      }

      @Override
      public RegionStatistics statistics() {
        return region.statistics();
      }
    };
  }
}
