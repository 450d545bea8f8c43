package dev.cairn.interop.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.SealContract;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.hadoop.HadoopStorage;
import dev.cairn.server.hadoop.HdfsLogSettings;
import dev.cairn.server.hadoop.LeaseTimes;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of sealing on HDFS, between two clients. */
class HdfsSealTest extends SealContract {
  private static final AtomicInteger DIRECTORIES = new AtomicInteger();

  @RegisterExtension static final SharedHdfs HDFS = new SharedHdfs();

  private static ExecutorService threads;

  private String directory;

  @BeforeAll
  static void start() {
    threads = Executors.newCachedThreadPool();
  }

  @AfterAll
  static void stop() {
    threads.shutdownNow();
  }

  @Override
  protected Storage open() throws IOException {
    directory = "/seal/" + DIRECTORIES.incrementAndGet();
    return storage(HdfsLogSettings.DEFAULTS);
  }

  @Override
  protected Storage openAgain(Storage first) throws IOException {
    return storage(HdfsLogSettings.DEFAULTS);
  }

  /**
   * A DataNode whose writer is interrupted in the middle of a packet cannot recover the block until
   * it is started again ("Block length mismatch", Hadoop 3.4). Here it is the only one.
   */
  @Override
  protected void assumeThatWritersMayRace() {
    Assumptions.abort("HDFS may need another DataNode for this");
  }

  @Test
  void severalClientsSealOneFile() throws Exception {
    try (Storage storage = storage(HdfsLogSettings.DEFAULTS);
        Storage other = storage(HdfsLogSettings.DEFAULTS)) {
      storage.createDirectories("shared");
      AppendFile file = storage.createFenced("shared/file");
      file.write(new byte[100], 0, 100);
      file.flush();
      Future<Long> first = threads.submit(() -> storage.seal("shared/file"));
      Future<Long> second = threads.submit(() -> other.seal("shared/file"));
      assertThat(first.get()).isEqualTo(100);
      assertThat(second.get()).isEqualTo(100);
    }
  }

  private Storage storage(HdfsLogSettings settings) throws IOException {
    URI root = URI.create(HDFS.home() + directory);
    return new HadoopStorage(
        FileSystem.newInstance(root, HDFS.hdfs().settings()),
        new org.apache.hadoop.fs.Path(root),
        settings,
        Clock.SYSTEM,
        threads);
  }

  /** What makes the seal necessary: to HDFS an open file is not its name. */
  @Test
  void aRenamedDirectoryAloneDoesNotStopItsWriterButALeaseRecoveryDoes() throws IOException {
    URI root = URI.create(HDFS.home());
    try (DistributedFileSystem writer =
            (DistributedFileSystem) FileSystem.newInstance(root, HDFS.hdfs().settings());
        Storage sealer = storage(HdfsLogSettings.DEFAULTS)) {
      org.apache.hadoop.fs.Path log = new org.apache.hadoop.fs.Path(root + directory + "/log/file");
      FSDataOutputStream file = writer.create(log);
      file.write("before".getBytes(UTF_8));
      file.hsync();
      sealer.rename("log", "log-splitting");
      file.write(" after".getBytes(UTF_8));
      file.hsync();
      assertThat(sealer.seal("log-splitting/file")).isEqualTo(12);
      assertThatThrownBy(
              () -> {
                file.write(" late".getBytes(UTF_8)); // fails, too, once the client has noticed
                file.hsync();
              })
          .isInstanceOf(IOException.class);
      assertThat(sealer.readAll("log-splitting/file")).asString().isEqualTo("before after");
    }
  }

  /** The same client may have written the file: the log of a server that stays alive. */
  @Test
  void aClientSealsItsOwnFile() throws IOException {
    try (Storage storage = storage(HdfsLogSettings.DEFAULTS)) {
      storage.createDirectories("own");
      AppendFile file = storage.createFenced("own/file");
      file.write(new byte[100], 0, 100);
      file.sync();
      assertThat(storage.seal("own/file")).isEqualTo(100);
      file.write(new byte[1], 0, 1);
      assertThatThrownBy(file::sync).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aSealThatWaitsForDataNodesInVainNamesThemAndCanBeRepeated() throws IOException {
    HdfsLogSettings impatient =
        new HdfsLogSettings(
            Duration.ofSeconds(1),
            new LeaseTimes(Duration.ofMillis(400), Duration.ofMillis(200), Duration.ofMillis(50)));
    try (Storage storage = storage(impatient)) {
      storage.createDirectories("dead");
      AppendFile file = storage.createFenced("dead/file");
      file.write(new byte[100], 0, 100);
      file.flush();
      try (Hdfs.Silence silence = HDFS.hdfs().silenceDataNode()) {
        assertThatThrownBy(() -> storage.seal("dead/file"))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("dead/file")
            .hasMessageContaining("hbase.lease.recovery.timeout")
            .hasMessageContaining("block blk_")
            .hasMessageContaining(HDFS.hdfs().dataNode());
      }
      try (Storage patient = storage(HdfsLogSettings.DEFAULTS)) {
        assertThat(patient.seal("dead/file")).isEqualTo(100);
      }
    }
  }
}
