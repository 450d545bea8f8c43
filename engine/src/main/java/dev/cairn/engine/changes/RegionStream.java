package dev.cairn.engine.changes;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The changes of one region that are read and not returned yet: some in memory, others in scratch
 * files. A number that is in several log files occurs several times. Not thread-safe.
 */
final class RegionStream {
  private final String region;
  private final TableName table;
  private final List<WalEntry> memory = new ArrayList<>();

  /** The number of entries of {@code memory} that are taken. */
  private int taken;

  private final List<SpilledRun> spilled = new ArrayList<>();
  private final PriorityQueue<SortedRun> runs =
      new PriorityQueue<>(Comparator.comparingLong(SortedRun::sequence));
  private Place highest = new Place(Long.MIN_VALUE, Long.MIN_VALUE);
  private long last = Long.MIN_VALUE;

  /** The number and the time of a change. */
  record Place(long sequence, long writeTimeMillis) {}

  RegionStream(String region, TableName table) {
    this.region = region;
    this.table = table;
  }

  String region() {
    return region;
  }

  TableName table() {
    return table;
  }

  /** Returns the change with the highest number. */
  Place highest() {
    return highest;
  }

  void add(WalEntry entry) {
    memory.add(entry);
    if (entry.sequence() > highest.sequence()) {
      highest = new Place(entry.sequence(), entry.writeTimeMillis());
    }
  }

  /** Moves the changes in memory to a file. */
  void spill(SpillFile file) throws IOException {
    settle();
    if (!memory.isEmpty()) {
      spilled.add(file.write(memory));
      memory.clear();
    }
  }

  /** Removes the changes that are taken, and sorts the others. */
  private void settle() {
    memory.subList(0, taken).clear();
    taken = 0;
    memory.sort(Comparator.comparingLong(WalEntry::sequence)); // stable
    spilled.removeIf(run -> !run.hasNext());
    runs.clear();
  }

  /**
   * Prepares the changes up to a number to be taken, in order. No change is added before they are
   * taken.
   */
  void begin(long sequence) {
    settle();
    last = sequence;
    if (!memory.isEmpty()) {
      runs.add(new InMemory());
    }
    runs.addAll(spilled);
  }

  /** Tells whether there is another change up to that number. */
  boolean hasNext() {
    return !runs.isEmpty() && runs.peek().sequence() <= last;
  }

  /** Returns the place of the next change. */
  Place next() {
    return new Place(runs.element().sequence(), runs.element().writeTimeMillis());
  }

  /** Removes and returns the next change. */
  WalEntry take() throws IOException {
    SortedRun run = runs.remove();
    WalEntry entry = run.take();
    if (run.hasNext()) {
      runs.add(run);
    }
    return entry;
  }

  /** Returns about how many bytes the changes take in memory. */
  long memory() {
    return memory.subList(taken, memory.size()).stream().mapToLong(WalEntry::heapBytes).sum();
  }

  /** Tells whether all changes are taken. */
  boolean isEmpty() {
    return taken == memory.size() && spilled.stream().noneMatch(SpilledRun::hasNext);
  }

  /** The changes in memory. */
  private final class InMemory implements SortedRun {
    @Override
    public boolean hasNext() {
      return taken < memory.size();
    }

    @Override
    public long sequence() {
      return memory.get(taken).sequence();
    }

    @Override
    public long writeTimeMillis() {
      return memory.get(taken).writeTimeMillis();
    }

    @Override
    public WalEntry take() {
      return memory.set(taken++, null);
    }
  }
}
