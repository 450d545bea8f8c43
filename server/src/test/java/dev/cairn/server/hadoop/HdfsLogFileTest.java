package dev.cairn.server.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;

/** Tests the time that a log waits for a DataNode that does not answer, on a clock of its own. */
class HdfsLogFileTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final ParkedTime clock = new ParkedTime();
  private final SyncPatience patience = new SyncPatience(TIMEOUT);
  private final List<Runnable> unanswered = new ArrayList<>();
  private boolean answers = true;

  /** Time passes only while a thread is parked. */
  private static final class ParkedTime implements Clock {
    private long nanos;

    @Override
    public long currentTimeMillis() {
      return nanos / 1_000_000;
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public void park(long duration) {
      nanos += duration;
    }
  }

  /** Takes everything. */
  private static final class Sink extends ByteArrayOutputStream
      implements Syncable, StreamCapabilities {
    @Override
    public void hflush() {}

    @Override
    public void hsync() {}

    @Override
    public boolean hasCapability(String capability) {
      return true;
    }
  }

  private HdfsLogFile create() throws IOException {
    DistributedFileSystem files = new DistributedFileSystem();
    files.setConf(new Configuration(false));
    OutputStream sink = new Sink();
    FSDataOutputStream out = new FSDataOutputStream(sink, null);
    return new HdfsLogFile(
        new HadoopAppendFile("log", URI.create("hdfs://nn"), out, Optional.empty()),
        new Path("/log"),
        out,
        new LogPlacement(files, clock, Runnable::run),
        patience,
        clock,
        task -> {
          if (answers) {
            task.run();
          } else {
            unanswered.add(task);
          }
        });
  }

  private Duration waitsForSilence(HdfsLogFile file) {
    answers = false;
    long start = clock.nanoTime();
    assertThatThrownBy(file::sync)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a DataNode does not answer");
    answers = true;
    return Duration.ofNanos(clock.nanoTime() - start);
  }

  @Test
  void aFileWhoseDataNodeStopsAnsweringFailsAfterTheTimeoutAndForGood() throws IOException {
    HdfsLogFile file = create();
    file.write(new byte[] {1}, 0, 1);
    file.sync();
    assertThat(waitsForSilence(file)).isEqualTo(TIMEOUT);
    assertThatThrownBy(file::sync).isInstanceOf(IOException.class);
    assertThat(unanswered).as("nothing else is asked of it").hasSize(1);
  }

  @Test
  void theWaitDoublesWithEachFileThatDoesNotAnswerUntilOneDoes() throws IOException {
    create().sync();
    assertThat(waitsForSilence(create())).isEqualTo(TIMEOUT);
    assertThat(waitsForSilence(create())).isEqualTo(TIMEOUT.multipliedBy(2));
    assertThat(waitsForSilence(create())).isEqualTo(TIMEOUT.multipliedBy(4));
    create().sync();
    assertThat(waitsForSilence(create())).isEqualTo(TIMEOUT);
  }

  @Test
  void theFirstSyncOfAProcessMayTakeLonger() throws IOException {
    assertThat(waitsForSilence(create())).isEqualTo(TIMEOUT.multipliedBy(8));
  }
}
