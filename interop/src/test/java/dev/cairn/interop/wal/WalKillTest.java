package dev.cairn.interop.wal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.time.Effort;
import dev.cairn.engine.wal.file.WalCompression;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalValueCompression;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.engine.wal.split.RecoveredEdits;
import dev.cairn.engine.wal.split.SplitSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The other side reads all that a writer had acknowledged when it was killed. The long form adds
 * compressions.
 */
@Tag("forms")
class WalKillTest {
  static final String SERVER = "host,16020,1";
  static final String PREFIX = "host%2C16020%2C1";

  private static final WalCompression NAMES = new WalCompression(true, true, Optional.empty());
  private static final WalCompression ALL =
      new WalCompression(true, true, Optional.of(WalValueCompression.GZ));
  private static final List<String> REGIONS =
      List.of(
          "0123456789abcdef0123456789abcdef",
          "fedcba9876543210fedcba9876543210",
          "00000000000000000000000000000000");
  private static final long ENTRIES = 1_500;
  private static final String REGION_DIRECTORY = "data/space/table/";

  @TempDir Path root;

  /** The entries that a writer writes; both sides know them. */
  static LogEntries entries(long seed) {
    return new LogEntries(seed, REGIONS, 100);
  }

  static Stream<WalCompression> compressions() {
    return Effort.isLong()
        ? Stream.of(WalCompression.NONE, NAMES, ALL)
        : Stream.of(WalCompression.NONE, ALL);
  }

  static Stream<Arguments> providers() {
    Stream<Arguments> each =
        Stream.of(
            Arguments.of("filesystem", WalCompression.NONE),
            Arguments.of("asyncfs", ALL),
            Arguments.of("multiwal", NAMES));
    return Effort.isLong()
        ? Stream.concat(
            each,
            Stream.of(
                Arguments.of("filesystem", NAMES), Arguments.of("asyncfs", WalCompression.NONE)))
        : each;
  }

  @ParameterizedTest
  @MethodSource("compressions")
  void hbaseReadsAllThatCairnAcknowledged(WalCompression compression) throws Exception {
    long acknowledged;
    try (LogWriterProcess writer =
        new LogWriterProcess(CairnLogWriter.class, root, 11, compression, "-")) {
      acknowledged = writer.killAfter(ENTRIES);
    }
    List<Path> files = logs();
    assertThat(files).as("it was rolled").hasSizeGreaterThan(1);
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      found.addAll(HBaseLog.readAll(file, false));
    }
    assertComplete(found, acknowledged, 11);
  }

  @ParameterizedTest
  @MethodSource("providers")
  void cairnRecoversAllThatHBaseAcknowledged(String provider, WalCompression compression)
      throws Exception {
    long acknowledged;
    try (LogWriterProcess writer =
        new LogWriterProcess(HBaseLogWriter.class, root, 12, compression, provider)) {
      acknowledged = writer.killAfter(ENTRIES);
    }
    assertThat(logs()).as("it was rolled, or has several parts").hasSizeGreaterThan(1);
    try (LocalStorage storage = new LocalStorage(root)) {
      for (String region : REGIONS) {
        storage.createDirectories(REGION_DIRECTORY + region);
      }
      SplitSummary summary = new LogSplitter(storage, "data", "oldWALs").split("WALs/" + SERVER);
      assertThat(summary.damagedFiles()).isEmpty();
      TreeMap<Long, String> found = new TreeMap<>();
      for (String region : REGIONS) {
        new RecoveredEdits(storage, REGION_DIRECTORY + region)
            .replay(0, entry -> found.put(entry.sequence(), LogEntries.text(entry)));
      }
      assertComplete(List.copyOf(found.values()), acknowledged, 12);
      assertThat(storage.list("WALs")).extracting(FileInfo::path).isEmpty();
    }
  }

  /** Nothing that was acknowledged is missing, and nothing is there that was not written. */
  private static void assertComplete(List<String> found, long acknowledged, long seed) {
    assertThat((long) found.size()).isGreaterThanOrEqualTo(acknowledged);
    List<WalEntry> written = entries(seed).next(found.size());
    assertThat(found).isEqualTo(LogEntries.texts(written));
  }

  /** The files of the log, in the order in which they were begun. */
  private List<Path> logs() throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve("WALs"))) {
      return files
          .filter(Files::isRegularFile)
          .sorted(Comparator.comparing(file -> file.getFileName().toString()))
          .toList();
    }
  }
}
