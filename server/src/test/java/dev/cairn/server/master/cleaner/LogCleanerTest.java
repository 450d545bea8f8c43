package dev.cairn.server.master.cleaner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.changes.ChangeCursor;
import dev.cairn.engine.changes.ChangeCursors;
import dev.cairn.engine.changes.ChangePosition;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
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

  @Test
  void logsThatACursorHasNotReadStayAndTheOthersAreRecorded() throws IOException {
    storage.writeAll("oldWALs/server.1", new byte[1]);
    storage.writeAll("oldWALs/server.2", new byte[1]);
    storage.writeAll("oldWALs/server.meta.2.meta", new byte[1]);
    storage.writeAll("MasterData/oldWALs/master.1", new byte[1]);
    ChangePosition position =
        new ChangePosition(
            Set.of(),
            Map.of("server.1", new ChangePosition.FilePosition(1, true)),
            Map.of(),
            Long.MIN_VALUE,
            0);
    new ChangeCursors(storage)
        .save(
            new ChangeCursor(
                "reader",
                position,
                clock.currentTimeMillis(),
                new ChangeCursor.Limits(1000, 100_000)));
    clock.advanceMillis(1000);

    assertThat(cleaner.clean()).isEqualTo(3);

    assertThat(storage.list("oldWALs"))
        .extracting(Storage.FileInfo::name)
        .containsExactly("server.2");
    assertThat(new String(storage.readAll("cairn.changes/deleted-logs"), StandardCharsets.UTF_8))
        .contains(" server.1\n")
        .doesNotContain("meta", "master");
  }
}
