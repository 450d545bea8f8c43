package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.storage.ForwardingStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalConfig;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.split.LogSplitter;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.store.RegionMasterStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Masters that open the store, one after the other. */
class MasterStoreOpeningTest {
  private static final byte[] ROW = Bytes.utf8("switch");

  private final Storage storage = new MemoryStorage(Clock.SYSTEM);
  private final List<Wal> logs = new ArrayList<>();
  private int files;

  @AfterEach
  void closeLogs() {
    for (Wal log : logs) {
      try {
        log.close();
      } catch (IOException e) {
        // Another master has sealed it.
      }
    }
  }

  @Test
  void theNextMasterReadsWhatTheLastOneHasLogged() throws IOException {
    write(open("one", 1), 5);
    MasterStore next = open("two", 2);
    assertThat(next.read(MasterStore.Section.STATE))
        .singleElement()
        .satisfies(entry -> assertThat(entry.value()).containsExactly(5));
    assertThat(RegionMasterStore.latestEpoch(storage)).isEqualTo(2);
  }

  @Test
  void aReplacedMasterCanNeitherLogNorFlush() throws IOException {
    MasterStore replaced = open("one", 1);
    write(replaced, 5);
    open("two", 2);
    assertThatThrownBy(replaced::flush).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> write(replaced, 6)).isInstanceOf(IOException.class);
  }

  @Test
  void aMasterThatOpensTheStoreTooLateTakesNothingFromItsOwner() throws IOException {
    MasterStore owner = open("two", 2);
    assertThatThrownBy(() -> openUnawareOfLogs("one", 1)).isInstanceOf(FencedException.class);
    write(owner, 7);
    owner.flush();
    assertThat(owner.read(MasterStore.Section.STATE)).hasSize(1);
  }

  @Test
  void aMasterThatDoesNotLeadSealsNoLog() throws IOException {
    MasterStore owner = open("two", 2);
    assertThatThrownBy(
            () ->
                opening("one", storage)
                    .open(
                        3,
                        () -> {
                          throw new IOException("another master leads");
                        }))
        .hasMessage("another master leads");
    write(owner, 7);
    owner.flush();
  }

  private MasterStore open(String master, long epoch) throws IOException {
    return opening(master, storage).open(epoch, () -> {});
  }

  /** Opens the store as a master that has listed the logs before the owner has begun its own. */
  private MasterStore openUnawareOfLogs(String master, long epoch) throws IOException {
    Storage earlier =
        new ForwardingStorage(storage) {
          @Override
          public List<FileInfo> list(String path) throws IOException {
            return path.equals("MasterData/WALs") ? List.of() : super.list(path);
          }
        };
    return opening(master, earlier).open(epoch, () -> {});
  }

  private MasterStoreOpening opening(String master, Storage seen) {
    StoreContext stores =
        new StoreContext(
            seen,
            new BlockCache(1 << 20, Runnable::run),
            Clock.SYSTEM,
            () -> "%032x".formatted(++files),
            EngineListener.NONE,
            StoreSettings.DEFAULTS);
    return new MasterStoreOpening(
        seen,
        new LogSplitter(seen, RegionMasterStore.DATA, "MasterData/oldWALs"),
        (directory, archive) -> {
          WalConfig config =
              new WalConfig(
                  directory + "/" + master,
                  archive,
                  master,
                  SyncLevel.SYNCED,
                  1 << 20,
                  32,
                  1 << 20,
                  1_000_000);
          Wal log = GroupCommitWal.open(seen, config, Clock.SYSTEM, Thread::new, WalListener.NONE);
          logs.add(log);
          return log;
        },
        (data, log) -> new RegionContext(data, log, stores, RegionSettings.DEFAULTS));
  }

  private static void write(MasterStore store, int value) throws IOException {
    store.apply(
        List.of(
            new MasterStore.Change(
                MasterStore.Section.STATE, ROW, Optional.of(new byte[] {(byte) value}))));
  }
}
