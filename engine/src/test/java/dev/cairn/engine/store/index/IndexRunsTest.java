package dev.cairn.engine.store.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.index.IndexedColumns;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.storage.ForwardingReadableFile;
import dev.cairn.engine.storage.ForwardingStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An index whose entries exceed the memory is sorted in many runs, few of them at a time. */
class IndexRunsTest {
  private static final byte[] F = Bytes.utf8("f");
  private static final byte[] A = Bytes.utf8("a");
  private static final byte[] B = Bytes.utf8("b");
  private static final int ROWS = 300;

  /** Each entry becomes a run. */
  private static final long LITTLE_MEMORY = 1;

  private static final Clock STOPPED =
      new Clock() {
        @Override
        public long currentTimeMillis() {
          return 1_000;
        }

        @Override
        public long nanoTime() {
          return 0;
        }
      };

  private final MemoryStorage memory = new MemoryStorage(STOPPED);
  private final BlockCache cache = new BlockCache(0, Runnable::run);
  private final AtomicInteger runs = new AtomicInteger();
  private int open;
  private int openMax;

  private final Storage counting =
      new ForwardingStorage(memory) {
        @Override
        public ReadableFile open(String path) throws IOException {
          openMax = Math.max(openMax, ++open);
          return new ForwardingReadableFile(super.open(path)) {
            @Override
            public void close() throws IOException {
              open--;
              super.close();
            }
          };
        }
      };

  @BeforeEach
  void makeDirectory() throws IOException {
    memory.createDirectories("d");
  }

  private void write(String path, IndexPace pace, long memoryBytes) throws IOException {
    HFileOptions options = HFileOptions.of(FamilySchema.of("f", Map.of()), CellComparator.USER);
    Random random = new Random(1);
    try (HFileWriter file = new HFileWriter(counting, path, options, STOPPED, Optional.empty());
        IndexCollector index =
            new IndexCollector(
                IndexedColumns.of(List.of(A, B)),
                counting,
                cache,
                STOPPED,
                () -> counting.createIn("d/run" + runs.getAndIncrement()),
                pace,
                memoryBytes)) {
      file.addMetaBlocks(index);
      for (int row = 0; row < ROWS; row++) {
        for (byte[] qualifier : List.of(A, B)) {
          byte[] value = Bytes.utf8("value" + random.nextInt(40));
          Cell cell = Cell.put(Bytes.utf8("%05d".formatted(row)), F, qualifier, 1, value);
          index.add(cell);
          file.append(cell);
        }
      }
      file.finish();
    }
  }

  @Test
  void manyRunsAreMergedInPasses() throws IOException {
    write("d/few", IndexPace.NONE, IndexCollector.MEMORY_BYTES);
    assertThat(runs.get()).isZero();
    write("d/many", IndexPace.NONE, LITTLE_MEMORY);
    assertThat(runs.get()).isGreaterThan(2 * IndexRuns.RUNS_MAX * IndexRuns.RUNS_MAX);
    assertThat(openMax).isEqualTo(IndexRuns.RUNS_MAX);
    assertThat(open).isZero();
    assertThat(memory.list("d")).hasSize(2); // no run is left
    assertThat(memory.readAll("d/many")).isEqualTo(memory.readAll("d/few"));
  }

  @Test
  void aWriterThatStopsLeavesNothing() throws IOException {
    AtomicInteger calls = new AtomicInteger();
    write("d/file", bytes -> calls.incrementAndGet(), LITTLE_MEMORY);
    assertThat(calls.get()).isGreaterThan(runs.get());
    for (int at : new int[] {1, 2, 40, calls.get() - 1, calls.get()}) {
      memory.delete("d/file");
      AtomicInteger left = new AtomicInteger(at);
      assertThatThrownBy(
              () ->
                  write(
                      "d/file",
                      bytes -> {
                        if (left.decrementAndGet() == 0) {
                          throw new IOException("stopped");
                        }
                      },
                      LITTLE_MEMORY))
          .hasMessage("stopped");
      assertThat(memory.list("d")).as("stopped at %d", at).isEmpty();
      assertThat(open).isZero();
    }
  }
}
