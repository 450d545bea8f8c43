package dev.cairn.server.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LogCleanerTest {
  private final AtomicLong now = new AtomicLong(1_000_000);
  private final Clock clock =
      new Clock() {
        @Override
        public long currentTimeMillis() {
          return now.get();
        }

        @Override
        public long nanoTime() {
          return now.get() * 1_000_000;
        }
      };
  private final Storage storage = new MemoryStorage(clock);
  private final LogCleaner cleaner =
      new LogCleaner(
          new SiteConfig(Map.of("hbase.master.logcleaner.ttl", "1000")),
          storage,
          clock,
          "oldWALs",
          "MasterData/oldWALs");

  @Test
  void archivedLogsGoWhenTheirTimeIsOverAndOthersStay() throws IOException {
    storage.writeAll("oldWALs/old", new byte[1]);
    storage.writeAll("MasterData/oldWALs/old", new byte[1]);
    storage.writeAll("WALs/server/live", new byte[1]);
    now.addAndGet(600);
    storage.writeAll("oldWALs/newer", new byte[1]);
    assertThat(cleaner.clean()).isZero();

    now.addAndGet(400);
    assertThat(cleaner.clean()).isEqualTo(2);
    assertThat(storage.exists("oldWALs/old")).isFalse();
    assertThat(storage.exists("MasterData/oldWALs/old")).isFalse();
    assertThat(storage.exists("oldWALs/newer")).isTrue();
    assertThat(storage.exists("WALs/server/live")).isTrue();
  }

  @Test
  void aServerThatNeverArchivedAnythingIsFine() throws IOException {
    assertThat(cleaner.clean()).isZero();
  }
}
