package dev.cairn.interop.hfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.hfile.format.UnsupportedFileException;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the one side, damaged, in the hands of the other. */
class DamagedHFileTest {
  private static final int SHAPES = 8;
  private static final int FLIPS = 120;

  @TempDir Path directory;

  @BeforeAll
  static void codecs() {
    ApacheFiles.useJavaCodecs();
  }

  /** The trailer of such a file has no checksum; without one its blocks can be wrong, too. */
  @Test
  void cairnReadsRightCellsOfADamagedApacheFileOrNone() throws IOException {
    long seed = Long.getLong("cairn.seed", System.nanoTime());
    Random random = new Random(seed);
    List<Shape> shapes = Shape.pairs(random).subList(0, SHAPES);
    try (ApacheFiles apache = new ApacheFiles(directory);
        LocalStorage storage = new LocalStorage(directory)) {
      for (Shape shape : shapes) {
        List<Cell> cells = new RandomCells(random, shape).some();
        apache.write("file", shape, cells);
        byte[] whole = Files.readAllBytes(directory.resolve("file"));
        for (int i = 0; i < FLIPS; i++) {
          byte[] damaged = whole.clone();
          // The trailer's message is short and matters: every second time it is hit.
          int at = random.nextInt(whole.length - 4096);
          at = i % 2 == 0 ? at : whole.length - 4096 + random.nextInt(120);
          damaged[at] ^= (byte) (1 << random.nextInt(8));
          Files.write(directory.resolve("file"), damaged);
          String what = "seed " + seed + ", " + shape + ", byte " + at;
          try {
            List<String> found = read(storage, cells);
            if (shape.checksum() != Shape.Checksum.NONE) {
              assertThat(found).as(what).isEqualTo(cells.stream().map(Cell::toString).toList());
            }
          } catch (CorruptFileException | UnsupportedFileException e) {
            assertThat(e).as(what).hasMessageContaining("Store file file ");
          }
        }
        Files.delete(directory.resolve("file"));
      }
    }
  }

  @Test
  void apacheNoticesDamageByTheChecksumsThatCairnWrites() throws IOException {
    Shape shape =
        Shape.pairs(new Random(1)).stream()
            .filter(one -> one.checksum() == Shape.Checksum.CRC32C)
            .findFirst()
            .orElseThrow();
    List<Cell> cells = new ArrayList<>();
    while (cells.isEmpty()) {
      cells = new RandomCells(new Random(), shape).some();
    }
    try (ApacheFiles apache = new ApacheFiles(directory);
        LocalStorage storage = new LocalStorage(directory)) {
      try (HFileWriter writer = new HFileWriter(storage, "file", shape.options(), Clock.SYSTEM)) {
        for (Cell cell : cells) {
          writer.append(cell);
        }
        writer.finish();
      }
      byte[] damaged = Files.readAllBytes(directory.resolve("file"));
      damaged[40] ^= 1;
      Files.write(directory.resolve("file"), damaged);
      try (HFile.Reader reader = apache.open("file");
          HFileScanner scanner = reader.getScanner(new Configuration(false), false, false)) {
        HFile.getAndResetChecksumFailuresCount();
        // What comes of it is open: Apache's reader tries again with the file system's checksums.
        catchThrowable(scanner::seekTo);
        assertThat(HFile.getAndResetChecksumFailuresCount()).isPositive();
      }
    }
  }

  private static List<String> read(LocalStorage storage, List<Cell> cells) throws IOException {
    List<String> found = new ArrayList<>();
    BlockCache cache = new BlockCache(1 << 20, Runnable::run);
    try (HFileReader reader = HFileReader.open(storage, "file", cache, CellComparator.USER);
        CellCursor cursor = reader.cursor(true)) {
      for (boolean more = cursor.seek(Cell.firstOnRow(new byte[0])); more; more = cursor.next()) {
        found.add(cursor.cell().toString());
      }
      reader.midRow();
      for (Cell cell : cells) {
        cursor.seek(cell);
        reader.mayContainColumn(cell);
        reader.mayContainDeleteFamily(cell.bytes(), cell.rowOffset(), cell.rowLength());
      }
    }
    return found;
  }
}
