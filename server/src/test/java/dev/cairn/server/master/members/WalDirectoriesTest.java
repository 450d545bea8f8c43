package dev.cairn.server.master.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.CorruptWalException;
import dev.cairn.server.catalog.DataDamage;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WalDirectoriesTest {
  private static final ServerName SERVER = ServerName.parse("host,16020,1");

  private final MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
  private final List<String> split = new ArrayList<>();
  private final WalDirectories logs = new WalDirectories(storage, split::add);

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
  void onlyALogThatIsThereIsSplit() throws IOException {
    logs.recover(SERVER);
    assertThat(split).isEmpty();
    storage.createDirectories("WALs/host,16020,1-splitting");
    logs.recover(SERVER);
    assertThat(split).containsExactly("WALs/host,16020,1");
  }

  @Test
  void aDamagedLogIsNamedTogetherWithTheWayOut() throws IOException {
    storage.createDirectories("WALs/host,16020,1");
    WalDirectories damaged =
        new WalDirectories(
            storage,
            directory -> {
              throw new CorruptWalException(directory + "/f.1", 77, "expected a key");
            });
    assertThatThrownBy(() -> damaged.recover(SERVER))
        .satisfies(
            error ->
                assertThat(DataDamage.message("The log cannot be recovered", error))
                    .contains(
                        "WALs/host,16020,1/f.1 is damaged at offset 77: expected a key",
                        "hbase.hlog.split.skip.errors=true"));
  }
}
