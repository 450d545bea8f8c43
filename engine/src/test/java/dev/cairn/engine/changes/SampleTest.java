package dev.cairn.engine.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compiles and runs the sample of the package's documentation. */
class SampleTest {
  private static final String SERVER = "host,16020,1";

  private final MemoryStorage root = new MemoryStorage(Clock.SYSTEM);
  private final List<Long> used = new ArrayList<>();
  private int polls;

  private boolean isWanted() {
    return polls < 2;
  }

  private void pause() {
    polls++;
  }

  private void use(Change change) {
    used.add(change.sequence());
  }

  // the sample
  String follow(Storage root, ChangeStart start) throws IOException {
    Set<TableName> tables = Set.of(TableName.parse("orders"));
    try (ChangeReader reader = ChangeReader.open(root, tables, start)) {
      while (isWanted()) {
        reader.poll();
        while (reader.next()) {
          use(reader.change());
        }
        pause();
      }
      return reader.position().text();
    }
  }

  // the end of the sample

  private static void write(GroupCommitWal wal, long sequence) throws IOException {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8("row"),
        Bytes.utf8("f"),
        Bytes.utf8("q"),
        1,
        CellType.PUT.code(),
        Bytes.utf8("value"),
        Bytes.EMPTY);
    wal.sync(
        wal.append(
            new WalEntry("0".repeat(32), TableName.parse("orders"), sequence, sequence, cells)));
  }

  @Test
  void theSampleContinuesAtItsToken() throws IOException {
    root.createDirectories("WALs/" + SERVER);
    WalConfig config =
        new WalConfig("WALs/" + SERVER, "oldWALs", SERVER, SyncLevel.SYNCED, 1 << 20, 32);
    try (GroupCommitWal wal =
        GroupCommitWal.open(root, config, Clock.SYSTEM, Thread::new, WalListener.NONE)) {
      write(wal, 1);
      String token = follow(root, new ChangeStart.Oldest());
      write(wal, 2);
      write(wal, 3);
      polls = 0;
      follow(root, ChangeStart.after(token));
      assertThat(used).containsExactly(1L, 2L, 3L);
    }
  }

  @Test
  void theDocumentationHasTheSample() throws IOException {
    Path sources = Path.of("src");
    String path = "java/dev/cairn/engine/changes/";
    List<String> documented =
        lines(sources.resolve("main/" + path + "package-info.java"), "{@code", "}</pre>");
    List<String> compiled =
        lines(
            sources.resolve("test/" + path + "SampleTest.java"),
            "  // the sample",
            "  // the end of the sample");
    assertThat(documented).isNotEmpty().isEqualTo(compiled);
  }

  /** Returns the lines of code between two lines, without their indentation. */
  private static List<String> lines(Path file, String first, String last) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .dropWhile(line -> !line.endsWith(first))
          .skip(1)
          .takeWhile(line -> !line.endsWith(last))
          .map(line -> line.replaceFirst("^[ *]*", ""))
          .filter(line -> !line.isEmpty())
          .toList();
    }
  }
}
