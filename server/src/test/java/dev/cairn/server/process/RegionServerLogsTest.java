package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.logs.ServerLogs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A region server registers before it begins a log. */
class RegionServerLogsTest {
  private static final ServerName SERVER = new ServerName("one.example", 16020, 1);

  private final Storage storage = new MemoryStorage(Clock.SYSTEM);

  @Test
  void itRegistersBeforeItHasALog() throws IOException {
    List<Storage.FileInfo> atRegistration = new ArrayList<>();
    boolean[] registered = {false};
    ServerLogs logs =
        begin(
            () -> {
              registered[0] = true;
              atRegistration.addAll(storage.list("WALs"));
            });
    assertThat(registered[0]).isTrue();
    assertThat(atRegistration).isEmpty();
    assertThat(storage.list("WALs"))
        .extracting(Storage.FileInfo::name)
        .containsExactly(SERVER.toString());
    logs.logOf(RegionInfo.META.replica(1));
    assertThat(storage.list("WALs/" + SERVER)).as("a replica has no log").hasSize(1);
    logs.logOf(RegionInfo.META);
    assertThat(storage.list("WALs/" + SERVER)).hasSize(2);
    logs.close();
  }

  @Test
  void withoutARegistrationItHasNoLog() throws IOException {
    assertThatThrownBy(
            () ->
                begin(
                    () -> {
                      throw new IOException("no connection");
                    }))
        .hasMessage("no connection");
    assertThat(storage.list("WALs")).isEmpty();
  }

  private ServerLogs begin(RegionServerLogs.Registration registration) throws IOException {
    return RegionServerLogs.begin(
        SERVER,
        registration,
        directory ->
            GroupCommitWal.open(
                storage, config(directory), Clock.SYSTEM, Thread::new, WalListener.NONE),
        directory ->
            GroupCommitWal.openBeside(
                storage, config(directory).ofMeta(), Clock.SYSTEM, Thread::new, WalListener.NONE));
  }

  private static WalConfig config(String directory) {
    return new WalConfig(
        directory, "oldWALs", SERVER.toString(), SyncLevel.SYNCED, 1 << 20, 32, 1 << 20, 1_000_000);
  }
}
