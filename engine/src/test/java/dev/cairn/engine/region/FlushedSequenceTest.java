package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.Store;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/**
 * Checks the sequence number up to which a store is flushed; a replay asks for it with each cell.
 */
class FlushedSequenceTest {
  private static final int CALLS = 1_000;

  @Test
  void aStoreKnowsItWithoutLookingAtItsFiles() throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    TableSchema schema = TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));
    try (RegionHarness harness = new RegionHarness(schema)) {
      Store store = harness.region().stores().get(0);
      for (int file = 0; file < 3; file++) {
        long before = store.flushedSequence();
        harness.put("r" + file, "q", "v");
        assertThat(store.flushedSequence()).isEqualTo(before);
        harness.region().flush();
        assertThat(store.flushedSequence()).isGreaterThan(before);
      }
      long flushed = store.flushedSequence();
      long allocated = threads.getCurrentThreadAllocatedBytes();
      long sum = 0;
      for (int call = 0; call < CALLS; call++) {
        sum += store.flushedSequence();
      }
      allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
      assertThat(sum).isEqualTo(CALLS * flushed);
      assertThat(allocated).as("bytes for %s calls", CALLS).isLessThan(CALLS);
    }
  }
}
