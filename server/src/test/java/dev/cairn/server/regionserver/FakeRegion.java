package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.CompactableRegion;
import dev.cairn.engine.region.FlushableRegion;
import dev.cairn.engine.region.IndexBuild;
import dev.cairn.engine.region.IndexUsage;
import dev.cairn.engine.region.RegionFigures;
import dev.cairn.engine.region.RegionFiles;
import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.region.SplittableRegion;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.PutBatch;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.store.CompactionNeed;
import dev.cairn.engine.store.CompactionProgress;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.engine.store.StoreStatistics;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.bulkload.CopiedSourceFiles;
import dev.cairn.server.bulkload.StagingDirectory;
import dev.cairn.server.regionserver.client.BulkLoadCalls;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.RegionMaintenance;
import dev.cairn.server.regionserver.hosted.RegionReads;
import dev.cairn.server.regionserver.hosted.RegionWrites;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A region with the family f that keeps the newest value of each column in a map, under {@code
 * row:qualifier}. Its scans are whatever the test hands it.
 */
public class FakeRegion
    implements RegionReads,
        RegionWrites,
        FlushableRegion,
        CompactableRegion,
        SplittableRegion,
        RegionFigures {
  public static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));

  /**
   * The maximum size of a cell in a batch of puts; a real region takes it from its table's limit.
   */
  public static final int CELL_BYTES_MAX = 1_000;

  public final Map<String, byte[]> values = new TreeMap<>();
  public final List<Integer> batches = new ArrayList<>();
  public final List<Integer> putBatches = new ArrayList<>();
  public Function<ScanRequest, RegionRead> scans =
      request -> {
        throw new UnsupportedOperationException();
      };
  public IOException failure;
  public Runnable beforeRow = () -> {};
  boolean closed;
  boolean closedByAbort;
  int flushes;
  long memStoreBytes;
  public boolean recoveredEdits;
  long flushedBytesInUse;
  boolean needsCompaction;
  boolean hasReferences;

  List<IndexBuild> indexBuilds = List.of();
  boolean hasTooManyFiles;
  long fileBytes;
  Optional<byte[]> splitPoint = Optional.empty();
  public final RegionInfo info;

  public FakeRegion(String startKey) {
    this.info = new RegionInfo(SCHEMA.name(), Bytes.utf8(startKey), Bytes.EMPTY, 7);
  }

  public HostedRegion hosted() {
    return new HostedRegion(info, SCHEMA, this, this, maintenance());
  }

  public RegionMaintenance maintenance() {
    return maintenance(this, this);
  }

  /** Returns the maintenance of this region, but with other flushes and compactions. */
  public RegionMaintenance maintenance(FlushableRegion flushes, CompactableRegion compactions) {
    return new RegionMaintenance(
        flushes,
        compactions,
        this,
        this,
        new RegionFiles(List.of()),
        request -> {
          throw new UnsupportedOperationException();
        },
        memory -> {
          throw new UnsupportedOperationException();
        },
        this::close);
  }

  @Override
  public ScanProgress row(ScanRequest request, CellBuffer out, ReadBudget budget)
      throws IOException {
    failIfAsked();
    beforeRow.run();
    String prefix = Bytes.utf8(request.startRow()) + ":";
    values.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            out.add(
                Cell.put(
                    request.startRow(),
                    Bytes.utf8("f"),
                    Bytes.utf8(key.substring(prefix.length())),
                    1,
                    value));
          }
        });
    return ScanProgress.ROW_DONE;
  }

  @Override
  public RegionRead read(ScanRequest request, ReadBudget budget) {
    return scans.apply(request);
  }

  /** Always has to wait for something. */
  @Override
  public PendingWrite write(WriteRequest request, WriteBudget budget) throws IOException {
    if (!budget.mayWait()) {
      return PendingWrite.WOULD_WAIT;
    }
    failIfAsked();
    if (request instanceof WriteRequest.Batch batch) {
      batches.add(batch.mutations().size());
      List<MutationOutcome> outcomes = new ArrayList<>();
      for (Mutation mutation : batch.mutations()) {
        outcomes.add(outcome(mutation));
      }
      return PendingWrite.of(outcomes);
    }
    if (request instanceof Mutation mutation) {
      batches.add(1);
      return PendingWrite.of(List.of(outcome(mutation)));
    }
    return PendingWrite.of(
        List.of(
            request instanceof PutBatch puts
                ? put(puts)
                : together((WriteRequest.Atomic) request)));
  }

  private MutationOutcome outcome(Mutation mutation) {
    try {
      return new MutationOutcome.Done(apply(mutation));
    } catch (IOException e) {
      return new MutationOutcome.Refused(e);
    }
  }

  private MutationOutcome put(PutBatch puts) throws IOException {
    for (int i = 0; i < puts.cells().size(); i++) {
      if (!Bytes.utf8(puts.cells().get(i).family()).equals("f")
          || puts.cells().length(i) > CELL_BYTES_MAX) {
        throw new InvalidMutationException("One of the puts would be refused");
      }
    }
    putBatches.add(puts.size());
    return new MutationOutcome.Done(apply(Mutation.put(puts.cells().get(0).row(), puts.cells())));
  }

  private MutationOutcome together(WriteRequest.Atomic request) throws IOException {
    for (Condition condition : request.conditions()) {
      if (!holds(condition)) {
        return new MutationOutcome.NotMet();
      }
    }
    CellBuffer cells = new CellBuffer();
    for (Mutation mutation : request.mutations()) {
      cells.addAll(apply(mutation));
    }
    return new MutationOutcome.Done(cells);
  }

  private boolean holds(Condition condition) throws IOException {
    CellBuffer row = new CellBuffer();
    row(condition.read(), row, ReadBudget.WHOLE_ROWS);
    byte[] wanted = condition.read().families().firstEntry().getValue().qualifiers().first();
    Optional<Cell> found = Optional.empty();
    for (int i = 0; i < row.size(); i++) {
      if (Arrays.equals(row.get(i).qualifier(), wanted)) {
        found = Optional.of(row.get(i));
      }
    }
    return condition.test().holds(found);
  }

  @Override
  public boolean flush(FlushScope scope) throws IOException {
    flushes++;
    memStoreBytes = 0;
    return true;
  }

  @Override
  public boolean isFlushOverdue() {
    return false;
  }

  @Override
  public boolean hasRecoveredEdits() {
    return recoveredEdits;
  }

  @Override
  public long memStoreBytes() {
    return memStoreBytes;
  }

  @Override
  public long flushedBytesInUse() {
    return flushedBytesInUse;
  }

  @Override
  public boolean isLargeCompaction(byte[] family, boolean major) {
    return false;
  }

  @Override
  public List<CompactionProgress> compactionProgress() {
    return List.of();
  }

  @Override
  public List<byte[]> familiesToCompact() {
    return needsCompaction ? List.of(Bytes.utf8("f")) : List.of();
  }

  @Override
  public boolean hasReferences() {
    return hasReferences;
  }

  @Override
  public boolean hasTooManyFiles() {
    return hasTooManyFiles;
  }

  @Override
  public List<Long> storeBytes() {
    return List.of(fileBytes);
  }

  @Override
  public Optional<byte[]> splitPoint() {
    return splitPoint;
  }

  @Override
  public long blockedWrites() {
    return 0;
  }

  @Override
  public void compact(byte[] family, boolean major, Optional<String> requester)
      throws IOException {}

  @Override
  public long storeFileBytes() {
    return 0;
  }

  @Override
  public List<StoreFigures> storeFigures(long nowMillis) {
    return List.of();
  }

  @Override
  public Optional<StoreStatistics> storeStatistics(byte[] family) {
    return Optional.empty();
  }

  @Override
  public Optional<CompactionNeed> compactionNeed(byte[] family) {
    return Optional.empty();
  }

  @Override
  public List<IndexBuild> indexBuilds() {
    return indexBuilds;
  }

  @Override
  public List<IndexUsage> indexUsage() {
    return List.of();
  }

  @Override
  public List<LargestRow> largestRows() {
    return List.of();
  }

  private void close(boolean abort) throws IOException {
    failIfAsked();
    closed = true;
    closedByAbort = abort;
  }

  @Override
  public RegionStatistics statistics() {
    return new RegionStatistics(
        1, 0, 0, 0, 0, memStoreBytes, flushedBytesInUse, 5, 4, List.of(), 0, 0);
  }

  private void failIfAsked() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  private CellBuffer apply(Mutation mutation) throws IOException {
    CellBuffer result = new CellBuffer();
    for (int i = 0; i < mutation.cells().size(); i++) {
      Cell cell = mutation.cells().get(i);
      if (!Bytes.utf8(cell.family()).equals("f")) {
        throw new NoSuchFamilyException("No family " + Bytes.utf8(cell.family()));
      }
      String key = Bytes.utf8(cell.row()) + ":" + Bytes.utf8(cell.qualifier());
      switch (mutation.kind()) {
        case PUT -> values.put(key, cell.value());
        case DELETE -> values.remove(key);
        case INCREMENT -> {
          byte[] old = values.getOrDefault(key, Bytes.ofLong(0));
          long sum = Bytes.getLong(old, 0) + Bytes.getLong(cell.value(), 0);
          values.put(key, Bytes.ofLong(sum));
        }
        case APPEND ->
            values.put(key, Bytes.concat(values.getOrDefault(key, Bytes.EMPTY), cell.value()));
      }
      if (mutation.returnResult()) {
        result.add(Cell.put(cell.row(), cell.family(), cell.qualifier(), 1, values.get(key)));
      }
    }
    return result;
  }

  /** Returns calls that load files into {@code regions} from a storage without files. */
  public static BulkLoadCalls noBulkLoads(OnlineRegions regions, Clock clock) {
    MemoryStorage storage = new MemoryStorage(clock);
    return new BulkLoadCalls(
        regions,
        new StagingDirectory(storage, new SecureRandom()),
        new CopiedSourceFiles(storage),
        BulkLoadRequest.Check.ENDS);
  }
}
