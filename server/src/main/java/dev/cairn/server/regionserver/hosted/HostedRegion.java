package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.loadsplit.LoadSampler;
import dev.cairn.server.split.SplitPolicy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * An open region as this server hosts it: its identity, its interfaces, and its counters.
 * Thread-safe.
 */
public final class HostedRegion {
  private final RegionInfo info;
  private final String encodedName;
  private final ByteString name;
  private final TableSchema schema;
  private final RegionParts parts;
  private final LongAdder readRequests;
  private final LongAdder writeRequests = new LongAdder();
  private final RowSize rowSize = new RowSize();

  /** Creates a hosted region that is used as it is, and never split by itself. */
  public HostedRegion(
      RegionInfo info,
      TableSchema schema,
      RegionReads reads,
      RegionWrites writes,
      RegionMaintenance upkeep) {
    this(info, schema, new RegionParts(reads, writes, upkeep), new LongAdder());
  }

  private HostedRegion(
      RegionInfo info, TableSchema schema, RegionParts parts, LongAdder readRequests) {
    this.info = info;
    this.encodedName = info.encodedName();
    this.name = ByteString.copyFrom(info.regionName());
    this.schema = schema;
    this.parts = parts;
    this.readRequests = readRequests;
  }

  /** Hosts a region of the engine. */
  public static HostedRegion of(Region region) {
    EngineRegion ways = new EngineRegion(region);
    return new HostedRegion(region.info(), region.schema(), ways, ways, ways);
  }

  /**
   * Hosts a region that cannot be served.
   *
   * @param openSequence the sequence number to report to the master
   * @param reason the message for every call, a sentence
   */
  public static HostedRegion refused(
      RegionInfo info, TableSchema schema, long openSequence, String reason) {
    RefusedRegion region = new RefusedRegion(reason, openSequence);
    return new HostedRegion(info, schema, region, refused(reason), region);
  }

  /** Returns the same region under layers, the first of which is the lowest. */
  public HostedRegion under(List<RegionLayer> layers) {
    RegionParts all = parts;
    for (RegionLayer layer : layers) {
      all = layer.over(info, schema, all);
    }
    return new HostedRegion(info, schema, all, new LongAdder());
  }

  /** Returns the limits on space to which the region is held. */
  public SpaceLimits space() {
    return parts.space();
  }

  /**
   * Returns a replica of this region: the same cells, read only. It is where the region is, so a
   * read of it is as fresh as one of the region.
   *
   * @param id the replica's number, from 1
   */
  HostedRegion replica(int id) {
    String reason =
        "region is read only: a replica takes no writes, write to " + info.regionNameAsString();
    return new HostedRegion(
        info.replica(id),
        schema,
        parts.writing(refused(reason)).splitBy(SplitPolicy.DISABLED),
        readRequests);
  }

  /**
   * Returns writes that refuse every request.
   *
   * @param reason the whole message
   */
  private static RegionWrites refused(String reason) {
    return (request, budget) -> {
      throw new DoNotRetryIOException(reason);
    };
  }

  /** Tells whether this is not the region itself. */
  public boolean isReplica() {
    return info.replicaId() != 0;
  }

  /** Returns what gets have learned of how large the rows are. */
  public RowSize rowSize() {
    return rowSize;
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

  /** Refuses the name of a family that the table does not have. */
  public void checkFamily(byte[] family) throws IOException {
    if (schema.family(family).isEmpty()) {
      throw EngineErrors.forClient(
          new NoSuchFamilyException(
              "Table "
                  + info.table()
                  + " has no family "
                  + Bytes.toStringBinary(family)
                  + "; it has "
                  + schema.familyNames()));
    }
  }

  /** Returns how to read, and counts {@code requests} of it. */
  public RegionReads reads(int requests) {
    readRequests.add(requests);
    return parts.reads();
  }

  /** Returns how to write, and counts {@code requests} of it. */
  public RegionWrites writes(int requests) {
    writeRequests.add(requests);
    return parts.writes();
  }

  /** Returns how to flush, compact, measure and close. */
  public RegionMaintenance upkeep() {
    return parts.upkeep();
  }

  /** Returns what records the times of operations on the region's table. */
  public TableTimes times() {
    return parts.times();
  }

  /** Returns when the region is split. */
  public SplitPolicy splitPolicy() {
    return parts.splitPolicy();
  }

  /** Returns what takes samples of the region's calls; empty if its load does not split it. */
  public Optional<LoadSampler> load() {
    return parts.load();
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
}
