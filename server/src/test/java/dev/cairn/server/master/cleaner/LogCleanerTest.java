package dev.cairn.server.master.cleaner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogCleanerTest {
  private final ManualClock clock = new ManualClock();
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
    clock.advanceMillis(600);
    storage.writeAll("oldWALs/newer", new byte[1]);
    assertThat(cleaner.clean()).isZero();

    clock.advanceMillis(400);
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
