package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.explain.Explanation;
import dev.cairn.engine.region.Condition;
import dev.cairn.engine.region.FlushScope;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.MutationOutcome;
import dev.cairn.engine.region.NoSuchFamilyException;
import dev.cairn.engine.region.PutBatch;
import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.region.WriteListener;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
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
final class FakeRegion implements RegionReads, RegionWrites, RegionUpkeep {
  static final TableSchema SCHEMA = TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));

  /** What {@link #put} takes at most of a cell, as a region does that knows its table's limit. */
  static final int CELL_BYTES_MAX = 1_000;

  final Map<String, byte[]> values = new TreeMap<>();
  final List<Integer> batches = new ArrayList<>();
  final List<Integer> putBatches = new ArrayList<>();
  Function<ScanRequest, RegionRead> scans =
      request -> {
        throw new UnsupportedOperationException();
      };
  IOException failure;
  boolean closed;
  boolean closedByAbort;
  int flushes;
  long memStoreBytes;
  long flushedBytesInUse;
  boolean needsCompaction;
  final RegionInfo info;

  FakeRegion(String startKey) {
    this.info = new RegionInfo(SCHEMA.name(), Bytes.utf8(startKey), Bytes.EMPTY, 7);
  }

  HostedRegion hosted() {
    return new HostedRegion(info, SCHEMA, this, this, this);
  }

  @Override
  public ScanProgress row(ScanRequest request, CellBuffer out, ReadBudget budget)
      throws IOException {
    failIfAsked();
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

  @Override
  public Explanation explain(ScanRequest request, int rowsMax, int cellsMax) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<MutationOutcome> mutate(List<Mutation> batch) throws IOException {
    failIfAsked();
    batches.add(batch.size());
    List<MutationOutcome> outcomes = new ArrayList<>();
    for (Mutation mutation : batch) {
      try {
        outcomes.add(new MutationOutcome.Done(apply(mutation)));
      } catch (IOException e) {
        outcomes.add(new MutationOutcome.Refused(e));
      }
    }
    return outcomes;
  }

  @Override
  public Optional<MutationOutcome> put(PutBatch puts) throws IOException {
    failIfAsked();
    for (int i = 0; i < puts.cells().size(); i++) {
      if (!Bytes.utf8(puts.cells().get(i).family()).equals("f")
          || puts.cells().length(i) > CELL_BYTES_MAX) {
        return Optional.empty();
      }
    }
    putBatches.add(puts.size());
    CellBuffer done = apply(Mutation.put(puts.cells().get(0).row(), puts.cells()));
    return Optional.of(new MutationOutcome.Done(done));
  }

  /** Always has to wait for something. */
  @Override
  public boolean tryMutate(Mutation mutation, WriteListener told) {
    return false;
  }

  @Override
  public void hurryBegun() {}

  @Override
  public CellBuffer mutateAtomically(List<Mutation> mutations) throws IOException {
    failIfAsked();
    CellBuffer cells = new CellBuffer();
    for (Mutation mutation : mutations) {
      cells.addAll(apply(mutation));
    }
    return cells;
  }

  @Override
  public Optional<CellBuffer> checkAndMutate(Condition condition, List<Mutation> mutations)
      throws IOException {
    CellBuffer row = new CellBuffer();
    row(condition.read(), row, ReadBudget.WHOLE_ROWS);
    byte[] wanted = condition.read().families().firstEntry().getValue().qualifiers().first();
    Optional<Cell> found = Optional.empty();
    for (int i = 0; i < row.size(); i++) {
      if (Arrays.equals(row.get(i).qualifier(), wanted)) {
        found = Optional.of(row.get(i));
      }
    }
    return condition.test().holds(found)
        ? Optional.of(mutateAtomically(mutations))
        : Optional.empty();
  }

  @Override
  public Optional<CellBuffer> checkAndMutate(List<Condition> conditions, List<Mutation> mutations)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean flush(FlushScope scope) {
    flushes++;
    memStoreBytes = 0;
    return true;
  }

  @Override
  public boolean needsCompaction() {
    return needsCompaction;
  }

  @Override
  public void compact(Optional<byte[]> family, boolean major) {}

  @Override
  public void close(boolean abort) throws IOException {
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
}
