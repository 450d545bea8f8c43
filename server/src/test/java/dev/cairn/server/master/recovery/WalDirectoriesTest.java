package dev.cairn.server.master.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.file.CorruptWalException;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.engine.wal.split.LogSplitter.LeftLog;
import dev.cairn.engine.wal.split.SealProgress;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import dev.cairn.server.catalog.DataDamage;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.walsplit.LogPart;
import dev.cairn.server.walsplit.PartProgress;
import dev.cairn.server.walsplit.SplitOrder;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WalDirectoriesTest {
  private static final ServerName SERVER = ServerName.parse("host,16020,1");

  private final MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
  private final FencedStorage fenced = new FencedStorage(storage, ".tmp", "archive");
  private final WalDirectories logs =
      new WalDirectories(storage, fenced, new LogSplitter(storage, "data", "oldWALs"));

  @Test
  void everyServerWithALogIsNamedOnceWhetherOrNotARecoveryHadBegun() throws IOException {
    storage.createDirectories("WALs/host,16020,1");
    storage.createDirectories("WALs/host,16020,2");
    storage.createDirectories("WALs/host,16020,2-splitting");
    storage.createDirectories("WALs/other,16020,3-splitting");
    storage.createDirectories("WALs/no-server");
    assertThat(logs.servers())
        .extracting(ServerName::toString)
        .containsExactlyInAnyOrder("host,16020,1", "host,16020,2", "other,16020,3");
  }

  @Test
  void aLogIsTakenFromItsServerAndIsGoneOnceItIsArchived() throws IOException {
    assertThat(logs.take(SERVER)).isEmpty();
    storage.createDirectories("WALs/host,16020,1");
    storage.writeAll("WALs/host,16020,1/f.1", new byte[0]);
    LeftLog left = logs.take(SERVER).orElseThrow();
    assertThat(left.directory()).isEqualTo(SplitOrder.directory(SERVER));
    assertThat(storage.exists("WALs/host,16020,1")).isFalse();
    assertThat(logs.take(SERVER)).contains(left);
    logs.archive(left, LogKind.REGIONS, Set.of());
    logs.remove(left);
    assertThat(storage.exists("oldWALs/f.1")).isTrue();
    assertThat(logs.take(SERVER)).isEmpty();
  }

  @Test
  void aStorageThatTakesNoNewFilesFailsTheCheck() throws IOException {
    Set<StorageOperation> refused = EnumSet.noneOf(StorageOperation.class);
    FaultyStorage faulty =
        new FaultyStorage(storage, (operation, path) -> refused.contains(operation));
    FencedStorage master = new FencedStorage(faulty, ".tmp", "archive");
    WalDirectories checked =
        new WalDirectories(faulty, master, new LogSplitter(faulty, "data", "oldWALs"));
    master.claim(1);
    checked.check();
    assertThat(storage.list(master.staging())).isEmpty();

    refused.add(StorageOperation.DELETE);
    assertThatThrownBy(checked::check).isInstanceOf(IOException.class);
    refused.clear();
    checked.check();
    assertThat(storage.list(master.staging())).isEmpty();

    refused.add(StorageOperation.CREATE);
    assertThatThrownBy(checked::check).isInstanceOf(IOException.class);
  }

  @Test
  void aDamagedLogIsNamedTogetherWithTheWayOut() throws IOException {
    fenced.claim(1);
    logs.lend(5);
    storage.createDirectories("WALs/host,16020,1");
    storage.writeAll("WALs/host,16020,1/f.1", Bytes.utf8("no log".repeat(50)));
    LeftLog left = logs.take(SERVER).orElseThrow();
    PartProgress parts =
        new PartProgress(
            LogKind.REGIONS, LogPart.all(LogKind.REGIONS), SealProgress.NONE, part -> {});
    assertThatThrownBy(() -> logs.split(left, LogKind.REGIONS, parts, 5))
        .isInstanceOf(CorruptWalException.class)
        .satisfies(
            error ->
                assertThat(DataDamage.message("The log cannot be recovered", error))
                    .contains(
                        "WALs/host,16020,1-splitting/f.1 is damaged at offset 0",
                        "hbase.hlog.split.skip.errors=true"));
  }
}
