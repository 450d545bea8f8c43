package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.scan.ScanRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A request to {@link Region#write}: one {@link Mutation}, a {@link Batch} of independent mutations
 * ({@link PutBatch} for plain puts), or an {@link Atomic} group of mutations. The region sets
 * timestamps in place, so use a request once.
 */
public sealed interface WriteRequest permits Mutation, PutBatch, WriteRequest.Listed {
  /** The approximate bytes that a memstore needs for a cell in addition to its content. */
  int NODE_BYTES = 56;

  /** Returns the number of mutations. */
  int mutationCount();

  /** Returns the kind of mutation {@code i}. */
  Mutation.Kind kind(int i);

  /** Returns the row of mutation {@code i}; not to be changed. */
  byte[] row(int i);

  /** Returns the cells of mutation {@code i}; not to be changed. May be a copy. */
  CellBuffer cells(int i);

  /** Returns the attributes of mutation {@code i}. */
  default Map<String, byte[]> attributes(int i) {
    return Map.of();
  }

  /** Returns the conditions under which the mutations are applied. */
  default List<Condition> conditions() {
    return List.of();
  }

  /** Returns the column families of mutation {@code i}, in order. */
  default SortedSet<byte[]> families(int i) {
    SortedSet<byte[]> families = new TreeSet<>(Arrays::compareUnsigned);
    CellBuffer cells = cells(i);
    for (int cell = 0; cell < cells.size(); cell++) {
      families.add(cells.get(cell).family());
    }
    return families;
  }

  /** Returns the {@linkplain RowStripes stripe} of each row that has to be locked. */
  int[] stripes();

  /** Returns the number of cells of the request. */
  int cellCount();

  /** Returns the approximate bytes that the request's cells add to the memstores. */
  long memStoreBytes();

  /** Returns the approximate bytes that cells add to the memstores. */
  static long memStoreBytes(CellBuffer cells) {
    return cells.byteSize() + (long) NODE_BYTES * cells.size();
  }

  /** Has its mutations in a list. */
  sealed interface Listed extends WriteRequest {
    /** Returns the mutations. */
    List<Mutation> mutations();

    @Override
    default int mutationCount() {
      return mutations().size();
    }

    @Override
    default Mutation.Kind kind(int i) {
      return mutations().get(i).kind();
    }

    @Override
    default byte[] row(int i) {
      return mutations().get(i).row();
    }

    @Override
    default CellBuffer cells(int i) {
      return mutations().get(i).cells();
    }

    @Override
    default Map<String, byte[]> attributes(int i) {
      return mutations().get(i).attributes();
    }

    @Override
    default int[] stripes() {
      return WriteRequest.stripes(conditions(), mutations());
    }

    @Override
    default int cellCount() {
      return WriteRequest.cellCount(mutations());
    }

    @Override
    default long memStoreBytes() {
      return WriteRequest.memStoreBytes(mutations());
    }
  }

  /**
   * Mutations of any rows, each applied independently: the region may refuse one and apply the
   * others. There is one outcome per mutation, in the same order.
   */
  record Batch(List<Mutation> mutations) implements Listed {
    /** Checks that nothing is missing. */
    public Batch {
      Objects.requireNonNull(mutations, "mutations");
    }
  }

  /**
   * Mutations that are applied together or not at all, and only if all conditions hold at that
   * moment. Mutations and conditions may concern any rows of the region. There is one outcome. Its
   * cells are the results of the increments and appends that ask for results, in the mutations'
   * order.
   */
  record Atomic(List<Condition> conditions, List<Mutation> mutations) implements Listed {
    /** Checks that nothing is missing. */
    public Atomic {
      Objects.requireNonNull(conditions, "conditions");
      Objects.requireNonNull(mutations, "mutations");
    }

    /** Creates a request without conditions. */
    public Atomic(List<Mutation> mutations) {
      this(List.of(), mutations);
    }
  }

  private static int[] stripes(List<Condition> conditions, List<Mutation> mutations) {
    int[] stripes = new int[conditions.size() + mutations.size()];
    int n = 0;
    for (Condition condition : conditions) {
      stripes[n++] = RowStripes.of(condition.read().startRow());
    }
    for (Mutation mutation : mutations) {
      stripes[n++] = RowStripes.of(mutation.row());
    }
    return stripes;
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

  /**
   * The condition under which a row is changed: the row is read, and the first cell found (if any)
   * must satisfy the test.
   *
   * @param read the read to test: one row, usually one column, perhaps a filter
   * @param test decides; gets no cell if the read finds none
   */
  record Condition(ScanRequest read, Test test) {
    /** Decides about the cell that was found. */
    @FunctionalInterface
    public interface Test {
      /** Tells whether the condition holds. */
      boolean holds(Optional<Cell> found);
    }
  }
}
