package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.CompactableRegion;
import dev.cairn.engine.region.FlushableRegion;
import dev.cairn.engine.region.ReadOnlyRegion;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionFigures;
import dev.cairn.engine.region.RegionFiles;
import dev.cairn.engine.region.RegionSnapshot;
import dev.cairn.engine.region.SplittableRegion;
import dev.cairn.engine.region.bulkload.BulkLoadOutcome;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.loadsplit.LoadSampler;
import dev.cairn.server.regionserver.hooked.HandlerShares.Turn;
import dev.cairn.server.regionserver.hooked.HookedTable;
import dev.cairn.server.regionserver.hooked.LoadedClass;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.split.SplitPolicy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
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
  private final Optional<String> refusal;
  private final Optional<ReplicaRegion> replica;
  private final Optional<CopySource> copySource;
  private final int copies;
  private final Requests requests;
  private final RowSize rowSize = new RowSize();

  /** The counts of requests. A region under more layers has the same. */
  private record Requests(LongAdder reads, LongAdder writes) {
    Requests() {
      this(new LongAdder(), new LongAdder());
    }
  }

  /** Creates a hosted region that is used as it is, and never split by itself. */
  public HostedRegion(
      RegionInfo info,
      TableSchema schema,
      RegionReads reads,
      RegionWrites writes,
      RegionMaintenance maintenance) {
    this(
        info,
        schema,
        new RegionParts(reads, writes, maintenance),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        new Requests());
  }

  private HostedRegion(
      RegionInfo info,
      TableSchema schema,
      RegionParts parts,
      Optional<String> refusal,
      Optional<ReplicaRegion> replica,
      Optional<CopySource> copySource,
      Requests requests) {
    this.info = info;
    this.encodedName = info.encodedName();
    this.name = ByteString.copyFrom(info.regionName());
    this.schema = schema;
    this.parts = parts;
    this.refusal = refusal;
    this.replica = replica;
    this.copySource = copySource;
    this.requests = requests;
    this.copies = schema.regionReplication();
  }

  /** Hosts a region of the engine. */
  public static HostedRegion of(Region region) {
    return new HostedRegion(
        region.info(),
        region.schema(),
        new RegionParts(region::read, region::write, RegionMaintenance.of(region))
            .inSteps(region.steps()),
        Optional.empty(),
        Optional.empty(),
        Optional.of(CopySource.of(region)),
        new Requests());
  }

  /** Hosts a replica of a region, read only. */
  public static HostedRegion of(ReadOnlyRegion region) {
    RegionInfo info = region.info();
    String reason =
        "region is read only: a replica takes no writes, write to "
            + info.replica(0).regionNameAsString();
    ReplicaRegion replica = new ReplicaRegion(region);
    return new HostedRegion(
        info,
        region.schema(),
        replica.parts(refused(reason)),
        Optional.empty(),
        Optional.of(replica),
        Optional.empty(),
        new Requests());
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
    return new HostedRegion(
        info,
        schema,
        new RegionParts(region, refused(reason), region.maintenance()),
        Optional.of(reason),
        Optional.empty(),
        Optional.empty(),
        new Requests());
  }

  /** Returns the same region under layers, the first of which is the lowest. */
  public HostedRegion under(List<RegionLayer> layers) {
    RegionParts all = parts;
    for (RegionLayer layer : layers) {
      all = layer.over(info, schema, all);
    }
    return new HostedRegion(info, schema, all, refusal, replica, copySource, requests);
  }

  /** Returns the limits on space to which the region is held. */
  public SpaceLimits space() {
    return parts.space();
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

  /** Tells whether this is a replica and not the region itself. */
  public boolean isReplica() {
    return info.replicaId() != 0;
  }

  /** Returns the replica, if this is one that can be served. */
  public Optional<ReplicaRegion> replica() {
    return replica;
  }

  /**
   * Returns the state that messages to the region's replicas describe; empty if such messages only
   * announce changed files.
   */
  public Optional<CopySource> copySource() {
    return copySource;
  }

  /** Tells whether this is a region with replicas. */
  public boolean hasReplicas() {
    return copies > 1 && info.replicaId() == 0;
  }

  /** Returns the predictor of the size of the region's rows in a response. */
  public RowSize rowSize() {
    return rowSize;
  }

  /** Returns the region's identity. */
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

  /** Counts {@code rows} reads, and returns the region's reads. */
  public RegionReads reads(int rows) {
    requests.reads().add(rows);
    return parts.reads();
  }

  /** Counts {@code mutations} writes, and returns the region's writes. */
  public RegionWrites writes(int mutations) {
    requests.writes().add(mutations);
    return parts.writes();
  }

  /** Returns the region's flushes. */
  public FlushableRegion flushes() {
    return parts.maintenance().flushes();
  }

  /** Returns the region's compactions. */
  public CompactableRegion compactions() {
    return parts.maintenance().compactions();
  }

  /** Returns the part of the region that tells whether and where it could be split. */
  public SplittableRegion splits() {
    return parts.maintenance().splits();
  }

  /** Returns the region's sizes and counts. */
  public RegionFigures figures() {
    return parts.maintenance().figures();
  }

  /** Returns the region's store files. */
  public RegionFiles files() {
    return parts.maintenance().files();
  }

  /** Moves store files from elsewhere in the root directory into the region: all or none. */
  public BulkLoadOutcome bulkLoad(BulkLoadRequest request) throws IOException {
    return bulkLoads().load(request);
  }

  /** Returns the region's bulk loads. */
  public RegionMaintenance.BulkLoads bulkLoads() {
    return parts.maintenance().bulkLoads();
  }

  /** Returns the region's store files at one moment. */
  public RegionSnapshot snapshot(RegionSnapshot.Memory memory) throws IOException {
    return parts.maintenance().snapshots().take(memory);
  }

  /** Closes the region, flushing it first unless {@code abort}. */
  public void close(boolean abort) throws IOException {
    parts.maintenance().closing().close(abort);
  }

  /** Returns why every call of the region is refused; empty if it can be used. */
  public Optional<String> refusal() {
    return refusal;
  }

  /** Returns the recorder of the times of operations on the region's table. */
  public TableTimes times() {
    return parts.times();
  }

  /** Returns the services that hooks bring. */
  public RegionServices services() {
    return parts.services();
  }

  /** Tells whether the region has hooks, which may take any time. */
  public boolean isHooked() {
    return parts.maintenance().hooked().isPresent();
  }

  /** Returns the coprocessors that run in the region. */
  public List<LoadedClass> coprocessors() {
    return parts.maintenance().hooked().map(HookedTable::loaded).orElse(List.of());
  }

  /**
   * Begins work of a call that may run the region's hooks, on the call's thread.
   *
   * @throws RegionTooBusyException if too many handlers work on the region's table
   */
  public Turn enterHooks(RpcCall call) throws RegionTooBusyException {
    Optional<HookedTable> hooked = parts.maintenance().hooked();
    return hooked.isPresent() ? hooked.get().enter(call) : Turn.UNLIMITED;
  }

  /** Returns when the region is split. */
  public SplitPolicy splitPolicy() {
    return parts.splitPolicy();
  }

  /** Returns the sampler of the region's calls; empty if load does not split the region. */
  public Optional<LoadSampler> load() {
    return parts.load();
  }

  /** Returns the number of rows that clients requested since the region was opened. */
  public long readRequestCount() {
    return requests.reads().sum();
  }

  /** Returns the number of mutations since the region was opened. */
  public long writeRequestCount() {
    return requests.writes().sum();
  }

  @Override
  public String toString() {
    return info.regionNameAsString();
  }
}
