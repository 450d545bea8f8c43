package dev.cairn.interop.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.hadoop.HadoopRoot;
import dev.cairn.server.hadoop.HadoopStorage;
import dev.cairn.server.hadoop.HdfsLogSettings;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that starts while the NameNode is in safe mode waits, and says so. */
@Timeout(120)
class SafeModeTest {
  @RegisterExtension static final SharedHdfs HDFS = new SharedHdfs();

  @Test
  void theEndOfSafeModeIsWaitedForAndTheWaitIsSaid() throws Exception {
    BlockingQueue<String> notices = new LinkedBlockingQueue<>();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Hdfs hdfs = HDFS.hdfs();
    try {
      String root = HDFS.home() + "/hbase";
      hdfs.enterSafeMode();
      Future<HadoopStorage> opening = thread.submit(() -> open(root, notices));
      String notice = notices.take();
      while (notice.equals("Waiting for the NameNode of " + root)) { // it is slow to answer
        notice = notices.take();
      }
      assertThat(notice).isEqualTo("Waiting for the NameNode of " + root + " to leave safe mode");
      assertThat(opening).isNotDone();

      hdfs.leaveSafeMode();
      try (HadoopStorage storage = opening.get()) {
        storage.writeAll("file", new byte[] {1});
        assertThat(storage.readAll("file")).containsExactly(1);
      }
      assertThat(notices).isEmpty();
    } finally {
      hdfs.leaveSafeMode();
      thread.shutdownNow();
    }
  }

  private static HadoopStorage open(String root, BlockingQueue<String> notices) throws IOException {
    return new HadoopRoot(
            URI.create(root),
            HDFS.hdfs().settings(),
            HdfsLogSettings.DEFAULTS,
            Clock.SYSTEM,
            Runnable::run,
            notices::add)
        .open();
  }
}
