package dev.cairn.interop.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.changes.ChangeReader;
import dev.cairn.engine.changes.ChangeStart;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalConfig.WalRecovery;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.WalRollPolicy;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.engine.wal.split.RecoveredEdits;
import dev.cairn.interop.waiting.Eventually;
import dev.cairn.server.hadoop.HadoopStorage;
import dev.cairn.server.hadoop.HdfsLogSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.FileSystem;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A log on three DataNodes of which one fails, and its recovery. Tests share the HDFS with three
 * DataNodes, and repair what they have broken.
 */
class HdfsLogTest {
  private static final String SERVER = "WALs/host,16020,1";
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final String REGION_DIRECTORY = "data/default/t/" + REGION;
  private static final int COPIES = 3;

  @TempDir private static Path folder;
  private static Hdfs shared;
  private static int roots;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final int number = ++roots;
  private Hdfs hdfs;
  private Storage storage;

  @BeforeAll
  static void startShared() throws IOException {
    shared = Hdfs.start(folder.resolve("shared"), COPIES);
  }

  @AfterAll
  static void stopShared() {
    shared.close();
  }

  @BeforeEach
  void start() throws IOException {
    use(shared);
  }

  private void use(Hdfs chosen) throws IOException {
    hdfs = chosen;
    storage = open();
    storage.createDirectories(REGION_DIRECTORY);
  }

  /** Uses an HDFS of the test's own. */
  private void useOwn(int dataNodes) throws IOException {
    storage.close();
    use(Hdfs.start(folder.resolve("own-" + number), dataNodes));
  }

  private String root() {
    return hdfs.home() + "/" + number;
  }

  private String url(String file) {
    return root() + "/" + file;
  }

  @AfterEach
  void stop() throws IOException {
    storage.close();
    if (hdfs != shared) {
      hdfs.close();
    }
    threads.shutdownNow();
  }

  private Storage open() throws IOException {
    URI root = URI.create(root());
    return new HadoopStorage(
        FileSystem.newInstance(root, hdfs.settings()),
        new org.apache.hadoop.fs.Path(root),
        HdfsLogSettings.DEFAULTS,
        Clock.SYSTEM,
        threads);
  }

  private GroupCommitWal begin() throws IOException {
    return begin(COPIES, 600);
  }

  private GroupCommitWal begin(int copies, int attempts) throws IOException {
    WalConfig config =
        new WalConfig(SERVER, "oldWALs", "host", SyncLevel.FLUSHED, 1 << 20, 32)
            .withRecovery(new WalRecovery(attempts, 100_000_000L, 100_000_000L))
            .withRollPolicy(new WalRollPolicy(Long.MAX_VALUE, 9, 1, Long.MAX_VALUE, copies, 5));
    return GroupCommitWal.open(storage, config, Clock.SYSTEM, Thread::new, WalListener.NONE);
  }

  private static long append(GroupCommitWal log, long sequence) throws IOException {
    CellBuffer cells = new CellBuffer();
    cells.add(
        bytes("row" + sequence),
        bytes("f"),
        bytes("q"),
        sequence,
        CellType.PUT.code(),
        bytes("value"),
        Bytes.EMPTY);
    return log.append(
        new WalEntry(REGION, TableName.parse("t"), sequence, 1_700_000_000_000L, cells));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** Recovers the log as another server does; returns the sequence numbers of its entries. */
  private List<Long> recover() throws IOException {
    List<Long> sequences = new ArrayList<>();
    try (Storage other = open()) {
      new LogSplitter(other, "data", "oldWALs").split(SERVER);
      new RecoveredEdits(other, REGION_DIRECTORY)
          .replay(0, entry -> sequences.add(entry.sequence()));
    }
    return sequences;
  }

  /** Another process reads the file that the log writes, and goes on after the recovery. */
  @Test
  void changesAreReadFromAnOpenLogAndAfterItsRecovery() throws Exception {
    GroupCommitWal log = begin();
    log.sync(append(log, 1));
    log.sync(append(log, 2));
    try (Storage reading = open();
        Storage scratch = new MemoryStorage(Clock.SYSTEM);
        ChangeReader reader =
            ChangeReader.open(
                reading,
                scratch,
                "held",
                Set.of(TableName.parse("t")),
                new ChangeStart.Oldest(),
                Clock.SYSTEM)) {
      assertThat(changes(reader)).containsExactly(1L, 2L);
      log.sync(append(log, 3));
      assertThat(changes(reader)).containsExactly(3L);
      log.sync(append(log, 4));
      log.close();
      recover();
      assertThat(changes(reader)).containsExactly(4L);
    }
  }

  private static List<Long> changes(ChangeReader reader) throws IOException {
    List<Long> sequences = new ArrayList<>();
    for (int round = 0; round < 2; round++) {
      reader.poll();
      while (reader.next()) {
        sequences.add(reader.change().sequence());
      }
    }
    return sequences;
  }

  @Test
  void aDataNodeThatDoesNotAnswerFailsNoWrite() throws Exception {
    GroupCommitWal log = begin();
    log.sync(append(log, 1));
    String first = log.currentPath();
    try (Hdfs.Silence silence = hdfs.blockAnswersFor(url(first))) {
      log.sync(append(log, 2)); // returns although nobody answers for the first file
      assertThat(log.currentPath()).isNotEqualTo(first);
      log.sync(append(log, 3));
    }
    assertThat(recover()).containsExactly(1L, 2L, 3L);
  }

  /** Writes until a file has an entry and stays the current one; returns that file's DataNodes. */
  private List<String> dataNodesOfALaterFile(GroupCommitWal log, LongSupplier sequences)
      throws IOException {
    String file;
    do {
      file = log.currentPath();
      log.sync(append(log, sequences.getAsLong()));
    } while (!file.equals(log.currentPath()));
    return hdfs.dataNodes(url(file));
  }

  /** There are no more DataNodes than copies, so that another one cannot take its place. */
  @Test
  void aDataNodeThatHangsGetsNoNewLogFile() throws Exception {
    AtomicLong last = new AtomicLong(1);
    GroupCommitWal log = begin();
    log.sync(append(log, 1));
    String first = log.currentPath();
    String hanging = hdfs.dataNode();
    try (Hdfs.Silence silence = hdfs.hangDataNode(hanging)) {
      while (last.get() < 10) {
        log.sync(append(log, last.incrementAndGet())); // returns although the DataNode hangs
      }
      assertThat(log.currentPath()).isNotEqualTo(first);
      assertThat(dataNodesOfALaterFile(log, last::incrementAndGet))
          .hasSize(COPIES - 1)
          .doesNotContain(hanging);
    } finally {
      hdfs.restartDataNode(hanging);
    }
    assertThat(recover()).isEqualTo(LongStream.rangeClosed(1, last.get()).boxed().toList());
  }

  @Test
  void newLogFilesHaveAllTheirCopiesOnOtherDataNodes() throws Exception {
    useOwn(COPIES + 2);
    AtomicLong last = new AtomicLong(1);
    GroupCommitWal log = begin();
    log.sync(append(log, 1));
    String first = log.currentPath();
    String hanging = hdfs.dataNodes(url(first)).get(0);
    try (Hdfs.Silence silence = hdfs.hangDataNode(hanging)) {
      while (log.currentPath().equals(first)) {
        log.sync(append(log, last.incrementAndGet()));
      }
      for (int file = 0; file < 5; file++) {
        log.roll();
        assertThat(dataNodesOfALaterFile(log, last::incrementAndGet))
            .hasSize(COPIES)
            .doesNotContain(hanging);
      }
    }
    assertThat(recover()).isEqualTo(LongStream.rangeClosed(1, last.get()).boxed().toList());
  }

  @Test
  void theOnlyDataNodeGetsNewLogFilesAlthoughItDidNotAnswer() throws Exception {
    useOwn(1);
    GroupCommitWal log = begin(1, 50); // the attempts end while the DataNode is avoided
    log.sync(append(log, 1));
    Future<Void> waiting;
    try (Hdfs.Silence silence = hdfs.hangDataNode(hdfs.dataNode())) {
      waiting =
          threads.submit(
              () -> {
                log.sync(append(log, 2));
                return null;
              });
      Eventually.holds(() -> storage.list(SERVER).size() > 1, "the log begins another file");
    }
    waiting.get();
    log.sync(append(log, 3));
    assertThat(recover()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void aDataNodeThatIsKilledFailsNoWrite() throws Exception {
    GroupCommitWal log = begin();
    log.sync(append(log, 1));
    try (Hdfs.Silence killed = hdfs.withoutDataNode()) {
      for (long sequence = 2; sequence <= 50; sequence++) {
        log.sync(append(log, sequence));
      }
      assertThat(recover()).isEqualTo(LongStream.rangeClosed(1, 50).boxed().toList());
    }
  }

  @Test
  void aServerWhoseLogIsRecoveredStopsAndHasAcknowledgedNothingThatIsMissing() throws Exception {
    GroupCommitWal log = begin();
    log.sync(append(log, 1));
    long asleep = append(log, 2); // written and flushed with the next sync
    assertThat(recover()).contains(1L);
    Assertions.assertThatThrownBy(() -> log.sync(append(log, 3)))
        .isInstanceOf(WalFailedException.class)
        .hasMessageContaining("declared dead");
    assertThat(asleep).isPositive();
    assertThat(storage.exists(SERVER)).isFalse();
  }

  @Test
  void flushedBytesAreHeldByAsManyMachinesAsHdfsReplicates() {
    assertThat(storage.replication()).isEqualTo(COPIES);
  }
}
