package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.explain.Explanation;
import dev.cairn.engine.region.Condition;
import dev.cairn.engine.region.FlushScope;
import dev.cairn.engine.region.Mutation;
import dev.cairn.engine.region.MutationOutcome;
import dev.cairn.engine.region.PutBatch;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.RegionSplit;
import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.region.WriteListener;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** An open region of the engine, as calls and the server's own work use it. Thread-safe. */
record EngineRegion(Region region) implements RegionReads, RegionWrites, RegionUpkeep {
  @Override
  public RegionRead read(ScanRequest request, ReadBudget budget) throws IOException {
    return region.read(request, budget);
  }

  @Override
  public Explanation explain(ScanRequest request, int rowsMax, int cellsMax) throws IOException {
    return region.explain(request, rowsMax, cellsMax);
  }

  @Override
  public List<MutationOutcome> mutate(List<Mutation> batch) throws IOException {
    return region.mutate(batch);
  }

  @Override
  public Optional<MutationOutcome> put(PutBatch puts) throws IOException {
    return region.put(puts);
  }

  @Override
  public boolean tryMutate(Mutation mutation, WriteListener told) throws IOException {
    return region.tryMutate(mutation, told);
  }

  @Override
  public void hurryBegun() {
    region.hurryBegun();
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
  public Optional<CellBuffer> checkAndMutate(List<Condition> conditions, List<Mutation> mutations)
      throws IOException {
    return region.checkAndMutate(conditions, mutations);
  }

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
}
