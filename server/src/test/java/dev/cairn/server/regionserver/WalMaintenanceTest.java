package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.logs.ServerLogs;
import dev.cairn.server.regionserver.logs.WalMaintenance;
import dev.cairn.server.regionserver.maintenance.Flushes;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WalMaintenanceTest {
  private static final long PERIOD_MILLIS = 3_600_000;
  private static final String REGION = "0123456789abcdef0123456789abcdef";

  private final ManualClock clock = new ManualClock();
  private final MemoryStorage storage = new MemoryStorage(clock);
  private GroupCommitWal wal;
  private WalMaintenance maintenance;

  @BeforeEach
  void openLog() throws IOException {
    WalConfig config = new WalConfig("WALs/s", "oldWALs", "s", SyncLevel.SYNCED, 1 << 20, 32);
    wal = GroupCommitWal.open(storage, config, clock, Thread::new, WalListener.NONE);
    OnlineRegions regions = new OnlineRegions(ServerName.parse("host,16020,1"), clock);
    Flushes flushes = FlushesTest.make(Runnable::run, clock, failure -> {});
    maintenance =
        new WalMaintenance(new ServerLogs(wal, () -> wal), regions, flushes, clock, PERIOD_MILLIS);
  }

  @AfterEach
  void closeLog() throws IOException {
    wal.close();
  }

  private void write(long sequence) throws IOException {
    wal.sync(
        wal.append(new WalEntry(REGION, TableName.parse("t"), sequence, 1, new CellBuffer(0, 0))));
  }

  @Test
  void aFileThatHasBeenWrittenForLongEnoughIsEnded() throws IOException {
    write(1);
    clock.advanceMillis(PERIOD_MILLIS - 1);
    assertThat(maintenance.isDue()).isFalse();
    maintenance.check();
    assertThat(storage.list("WALs/s")).hasSize(1);
    clock.advanceMillis(1);
    assertThat(maintenance.isDue()).isTrue();
    maintenance.check();
    assertThat(storage.list("WALs/s")).as("still needed, and the next").hasSize(2);
    wal.flushed(REGION, 1);
    assertThat(storage.list("WALs/s")).hasSize(1);
    assertThat(storage.list("oldWALs")).hasSize(1);
  }

  @Test
  void theTimeRunsAnewFromEachRoll() throws IOException {
    write(1);
    clock.advanceMillis(PERIOD_MILLIS / 2);
    maintenance.roll();
    assertThat(storage.list("WALs/s")).hasSize(2);
    write(2);
    clock.advanceMillis(PERIOD_MILLIS - 1);
    maintenance.check();
    assertThat(storage.list("WALs/s")).hasSize(2);
    clock.advanceMillis(1);
    maintenance.check();
    assertThat(storage.list("WALs/s")).hasSize(3);
  }
}
