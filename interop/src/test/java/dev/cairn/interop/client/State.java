package dev.cairn.interop.client;

import dev.cairn.interop.waiting.Eventually;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;

/** Where a table's cells are while it is read. No read's answer may depend on it. */
enum State {
  /** All in memory. */
  MEMSTORE,
  /** All in one file. */
  FLUSHED,
  /** All in one file that a major compaction wrote. */
  COMPACTED,
  /** In memory and in several files, by chance. */
  MIXED;

  private static final long SEED = Long.getLong("cairn.seed", System.nanoTime() % 1_000_000_000L);

  static {
    System.out.println("Tables are mixed by -Dcairn.seed=" + SEED);
  }

  /** Applies mutations one after another, so that the cells end in this state. */
  void write(TestTable table, Mutation... mutations) throws Exception {
    Random random = new Random(SEED);
    for (Mutation mutation : mutations) {
      table.table().batch(List.<Row>of(mutation), new Object[1]);
      if (this == MIXED) {
        disturb(table, random.nextInt(12));
      }
    }
    settle(table);
  }

  /** Brings what was written into this state; nothing happens to what is to be mixed. */
  void settle(TestTable table) throws IOException {
    if (this == FLUSHED || this == COMPACTED) {
      table.flush();
    }
    if (this == COMPACTED) {
      table.majorCompact();
    }
  }

  private static void disturb(TestTable table, int chance) throws IOException {
    if (chance < 2) {
      table.flush();
    } else if (chance == 2) {
      table.admin().compact(table.name());
      Eventually.holds(
          () -> table.admin().getCompactionState(table.name()) == CompactionState.NONE,
          "the compaction has ended");
    }
  }
}
