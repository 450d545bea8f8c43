package dev.cairn.engine.hfile.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.hfile.HFiles;
import dev.cairn.engine.hfile.MapStorage;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.encoding.DataBlockEncoding;
import dev.cairn.engine.hfile.format.HFileSettings.ZstdFraming;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Helpers compress blocks beside the writer's thread, and leave no trace in the file. */
class PackingTest {
  private static final Clock STOPPED =
      new Clock() {
        @Override
        public long currentTimeMillis() {
          return 1_700_000_000_000L;
        }

        @Override
        public long nanoTime() {
          return 0;
        }
      };

  private final MapStorage storage = new MapStorage();
  private final List<Cell> cells = HFiles.randomCells(new Random(7), 2000, true);

  @ParameterizedTest
  @EnumSource(DataBlockEncoding.class)
  void filesAreTheSameWhoeverCompresses(DataBlockEncoding encoding) throws IOException {
    HFileOptions options = HFiles.options(Compression.SNAPPY, encoding, BloomType.ROW, true);
    byte[] alone = write("alone", options, Optional.empty());
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      assertThat(write("threads", options, Optional.of(threads))).isEqualTo(alone);
    } finally {
      threads.shutdownNow();
    }
    assertThat(write("at once", options, Optional.of(Runnable::run))).isEqualTo(alone);
    assertThat(write("never", options, Optional.of(task -> {}))).isEqualTo(alone);
    assertThat(write("late", options, Optional.of(new Latecomers()))).isEqualTo(alone);
    assertThat(write("closed", options, Optional.of(PackingTest::reject))).isEqualTo(alone);
    try (HFileReader reader = HFiles.open(storage, "threads")) {
      assertThat(HFiles.readAll(reader)).isEqualTo(HFiles.describe(cells));
    }
  }

  @ParameterizedTest
  @EnumSource(Compression.class)
  void filesAreTheSameInEveryCompression(Compression compression) throws IOException {
    for (ZstdFraming framing : ZstdFraming.values()) {
      HFileOptions plain = HFiles.options(compression, DataBlockEncoding.NONE, BloomType.ROW, true);
      HFileOptions options = plain.withSettings(plain.settings().withZstdFraming(framing));
      byte[] alone = write("alone " + framing, options, Optional.empty());
      assertThat(write("at once " + framing, options, Optional.of(Runnable::run)))
          .as("%s %s", compression, framing)
          .isEqualTo(alone);
    }
  }

  @Test
  void whatABlockRefusesReachesTheWriter() throws IOException {
    HFileOptions options =
        HFiles.options(Compression.SNAPPY, DataBlockEncoding.FAST_DIFF, BloomType.ROW, true);
    ExecutorService threads = Executors.newFixedThreadPool(1);
    try (HFileWriter writer =
        new HFileWriter(storage, "file", options, STOPPED, Optional.of(threads))) {
      writer.append(put("row", "f"));
      writer.append(put("row", "g"));
      assertThatThrownBy(writer::finish)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("different families");
    } finally {
      threads.shutdownNow();
    }
    assertThat(storage.exists("file")).isFalse();
  }

  @Test
  void aFileThatIsGivenUpLeavesNothing() throws IOException {
    HFileOptions options =
        HFiles.options(Compression.GZ, DataBlockEncoding.NONE, BloomType.ROW, true);
    try (HFileWriter writer =
        new HFileWriter(storage, "file", options, STOPPED, Optional.of(new Latecomers()))) {
      for (Cell cell : cells) {
        writer.append(cell);
      }
    }
    assertThat(storage.exists("file")).isFalse();
  }

  private byte[] write(String name, HFileOptions options, Optional<Executor> helpers)
      throws IOException {
    try (HFileWriter writer = new HFileWriter(storage, name, options, STOPPED, helpers)) {
      for (Cell cell : cells) {
        writer.append(cell);
      }
      writer.finish();
    }
    return storage.readAll(name);
  }

  private static Cell put(String row, String family) {
    return Cell.put(Bytes.utf8(row), Bytes.utf8(family), Bytes.utf8("q"), 5, Bytes.utf8("value"));
  }

  private static void reject(Runnable task) {
    throw new RejectedExecutionException("closed");
  }

  /** Run some tasks in another order, when most of them have been done by the writer. */
  private static final class Latecomers implements Executor {
    private final List<Runnable> waiting = new ArrayList<>();
    private final Random random = new Random(11);

    @Override
    public void execute(Runnable task) {
      waiting.add(task);
      if (random.nextInt(3) == 0) {
        Collections.shuffle(waiting, random);
        waiting.forEach(Runnable::run);
        waiting.clear();
      }
    }
  }
}
