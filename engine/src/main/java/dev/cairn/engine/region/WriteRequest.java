package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import java.util.List;
import java.util.Objects;

/**
 * What {@link Region#write} is to write: one {@link Mutation}, many that are applied each on its
 * own ({@link Batch}, or {@link PutBatch} for plain puts), or several that are applied together
 * ({@link Atomic}). The region fills in timestamps in place, so a request is used once.
 */
public sealed interface WriteRequest
    permits Mutation, PutBatch, WriteRequest.Batch, WriteRequest.Atomic {
  /** The approximate bytes that a memstore takes for a cell besides its content. */
  int NODE_BYTES = 56;

  /** Returns how many cells the request has. */
  int cellCount();

  /** Returns the approximate bytes that the request's cells add to the memstores. */
  long memStoreBytes();

  /** Returns the approximate bytes that cells add to the memstores. */
  static long memStoreBytes(CellBuffer cells) {
    return cells.byteSize() + (long) NODE_BYTES * cells.size();
  }

  /**
   * Mutations of any rows, each row's on its own: one may be refused and the others done. There is
   * one outcome per mutation, in the same order.
   */
  record Batch(List<Mutation> mutations) implements WriteRequest {
    /** Checks that nothing is missing. */
    public Batch {
      Objects.requireNonNull(mutations, "mutations");
    }

    @Override
    public int cellCount() {
      return WriteRequest.cellCount(mutations);
    }

    @Override
    public long memStoreBytes() {
      return WriteRequest.memStoreBytes(mutations);
    }
  }

  /**
   * Mutations of any rows of the region that are applied all together or not at all, and only if
   * all conditions, each of any row of the region, hold at that moment. There is one outcome. Its
   * cells are those of increments and appends whose result is wanted, in the mutations' order.
   */
  record Atomic(List<Condition> conditions, List<Mutation> mutations) implements WriteRequest {
    /** Checks that nothing is missing. */
    public Atomic {
      Objects.requireNonNull(conditions, "conditions");
      Objects.requireNonNull(mutations, "mutations");
    }

    /** Creates a request without conditions. */
    public Atomic(List<Mutation> mutations) {
      this(List.of(), mutations);
    }

    @Override
    public int cellCount() {
      return WriteRequest.cellCount(mutations);
    }

    @Override
    public long memStoreBytes() {
      return WriteRequest.memStoreBytes(mutations);
    }
  }

  private static int cellCount(List<Mutation> mutations) {
    int count = 0;
    for (Mutation mutation : mutations) {
      count += mutation.cellCount();
    }
    return count;
  }

  private static long memStoreBytes(List<Mutation> mutations) {
    long bytes = 0;
    for (Mutation mutation : mutations) {
      bytes += mutation.memStoreBytes();
    }
    return bytes;
  }
}
