package dev.cairn.engine.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.changes.ChangePosition.FilePosition;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.SealedFileException;
import dev.cairn.engine.storage.SealingProcess;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.Waiting;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reader of logs is one class on a tail. */
class LogTailTest {
  private static final UUID PEER = new UUID(-2, 7);

  /** Ships changes to a peer, as replication does: all but those that have come from there. */
  private static final class Shipping {
    private final LogTail tail;
    private final Set<String> shipped = new HashSet<>();
    private final Set<String> held = new HashSet<>();

    Shipping(Storage root, LogTail.Progress from) {
      tail = new LogTail(root, Clock.SYSTEM, name -> true, from);
    }

    void run() throws IOException {
      tail.read(this::ship);
    }

    private void ship(WalEntry entry) {
      if (Change.isChange(entry) && entry.table().equals(ChangeHistory.TABLE)) {
        String change = entry.region() + ":" + entry.sequence();
        (entry.clusterIds().contains(PEER) ? held : shipped).add(change);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void eachChangeComesWhateverHappensToLogs(int seed) throws IOException {
    MemoryStorage root = new MemoryStorage(Clock.SYSTEM);
    Random random = new Random(seed);
    try (ChangeHistory history = new ChangeHistory(root, random)) {
      Shipping shipping = new Shipping(root, LogTail.Progress.NONE);
      Set<String> shipped = new HashSet<>();
      Set<String> held = new HashSet<>();
      for (int step = 0; step < 400; step++) {
        history.step();
        if (random.nextInt(10) == 0) {
          shipping.run();
          shipped.addAll(shipping.shipped);
          held.addAll(shipping.held);
          shipping = new Shipping(root, shipping.tail.progress()); // as after a restart
        }
      }
      shipping.run();
      shipped.addAll(shipping.shipped);
      held.addAll(shipping.held);
      Set<String> written = new HashSet<>();
      history.written.values().forEach(written::addAll);
      for (String change : written) {
        long sequence = Long.parseLong(change.substring(change.indexOf(':') + 1));
        boolean isFromPeer = ChangeHistory.clusterIds(sequence).contains(PEER);
        assertThat(isFromPeer ? held : shipped).contains(change);
        assertThat(isFromPeer ? shipped : held).doesNotContain(change);
      }
      assertThat(held).isNotEmpty();
    }
  }

  @Test
  void whatWasReadSurvivesAPowerCut() throws IOException {
    MemoryStorage root = new MemoryStorage(Clock.SYSTEM);
    try (ChangeHistory history = new ChangeHistory(root, new Random(5))) {
      for (int step = 0; step < 30; step++) {
        history.step();
        Shipping before = new Shipping(root, LogTail.Progress.NONE);
        before.run();
        Shipping after = new Shipping(root.afterPowerCut(), LogTail.Progress.NONE);
        after.run();
        assertThat(after.shipped).containsAll(before.shipped);
      }
    }
  }

  @Test
  void afterAnErrorOfTheReceiverNoEntryIsMissedOrRepeated() throws IOException {
    MemoryStorage root = new MemoryStorage(Clock.SYSTEM);
    try (ChangeHistory history = new ChangeHistory(root, new Random(8))) {
      for (int step = 0; step < 60; step++) {
        history.step();
      }
      List<String> whole = new ArrayList<>();
      new LogTail(root, Clock.SYSTEM, name -> true, LogTail.Progress.NONE)
          .read(entry -> whole.add(entry.region() + ":" + entry.sequence()));
      Random errors = new Random(9);
      List<String> taken = new ArrayList<>();
      LogTail tail = new LogTail(root, Clock.SYSTEM, name -> true, LogTail.Progress.NONE);
      boolean done = false;
      for (int calls = 0; !done; calls++) {
        assertThat(calls).isLessThan(10_000);
        try {
          tail.read(
              entry -> {
                if (errors.nextInt(4) == 0) {
                  throw new IOException("not now");
                }
                taken.add(entry.region() + ":" + entry.sequence());
              });
          done = true;
        } catch (IOException e) {
          assertThat(e).hasMessage("not now");
        }
      }
      assertThat(taken).containsExactlyInAnyOrderElementsOf(whole).isNotEmpty();
    }
  }

  /**
   * A process takes the log's writer for dead and seals the log. The writer lives, and writes on
   * after the process has read the length.
   */
  @Test
  void entriesThatASealCutsOffAreNotPassedOn(@TempDir Path folder) throws Exception {
    MemoryStorage written = new MemoryStorage(Clock.SYSTEM);
    try (ChangeHistory history = new ChangeHistory(written, new Random(10))) {
      for (int step = 0; step < 30; step++) {
        history.step();
      }
    }
    String log = LogFile.list(written).get(0).path();
    int length;
    try (WalReader reader = WalReader.open(written, log)) {
      assertThat(reader.next() && reader.next()).isTrue();
      length = (int) reader.entryOffset();
    }
    byte[] bytes = written.readAll(log);
    Storage root = new LocalStorage(folder);
    String path = "WALs/host,16020,1/" + Storage.name(log);
    root.createDirectories("WALs/host,16020,1");
    AppendFile file = root.createFenced(path);
    file.write(bytes, 0, length);
    file.flush();

    List<Long> passed = new ArrayList<>();
    LogTail tail = new LogTail(root, Clock.SYSTEM, name -> true, LogTail.Progress.NONE);
    FutureTask<Void> reading =
        new FutureTask<>(
            () -> {
              tail.read(entry -> passed.add(entry.sequence()));
              return null;
            });
    Thread reader = new Thread(reading, "test-reader");
    try (SealingProcess sealer = SealingProcess.begin(folder.resolve(path))) {
      file.write(bytes, length, bytes.length - length);
      assertThatThrownBy(file::flush).isInstanceOf(SealedFileException.class);
      reader.start();
      Waiting.until(() -> reader.getState() == Thread.State.TIMED_WAITING || reading.isDone());
      sealer.end();
    }
    reading.get();
    assertThat(passed).hasSize(1);
    root.createDirectories("oldWALs");
    root.rename(path, "oldWALs/" + Storage.name(path));
    tail.read(entry -> passed.add(entry.sequence()));
    assertThat(passed).hasSize(1);
    file.close();
  }

  @Test
  void onlyWantedFilesAreRead() throws IOException {
    MemoryStorage root = new MemoryStorage(Clock.SYSTEM);
    try (ChangeHistory history = new ChangeHistory(root, new Random(6))) {
      for (int step = 0; step < 100; step++) {
        history.step();
      }
      LogTail all = new LogTail(root, Clock.SYSTEM, name -> true, LogTail.Progress.NONE);
      all.read(entry -> {});
      String first = new TreeMap<>(all.progress().files()).firstKey();
      LogTail one = new LogTail(root, Clock.SYSTEM, first::equals, LogTail.Progress.NONE);
      one.read(entry -> {});
      assertThat(one.progress().files()).containsOnlyKeys(first);
      assertThat(all.progress().files()).hasSizeGreaterThan(1);
    }
  }

  @Test
  void aFileThatWasDeletedUnreadIsReported() throws IOException {
    MemoryStorage root = new MemoryStorage(Clock.SYSTEM);
    try (ChangeHistory history = new ChangeHistory(root, new Random(7))) {
      history.step();
      LogTail.Progress from =
          new LogTail.Progress(
              Map.of("host%2C1%2C1.1", new FilePosition(10, false)), Long.MIN_VALUE);
      assertThatThrownBy(() -> new Shipping(root, from).run())
          .isInstanceOf(ChangesLostException.class)
          .hasMessageContaining("host%2C1%2C1.1 was not read to its end");
    }
  }

  @Test
  void aFileThatWasCreatedAndDeletedBetweenTwoReadsIsReported() throws IOException {
    MemoryStorage root = new MemoryStorage(Clock.SYSTEM);
    try (ChangeHistory history = new ChangeHistory(root, new Random(11))) {
      history.step();
      LogTail all = new LogTail(root, Clock.SYSTEM, name -> true, LogTail.Progress.NONE);
      all.read(entry -> {});
      LogTail first =
          new LogTail(
              root, Clock.SYSTEM, all.progress().files().keySet()::contains, LogTail.Progress.NONE);
      first.read(entry -> {});
      LogTail.Progress before = all.progress();

      while (DeletedLogs.read(root).names().isEmpty()) {
        history.step();
        List<Storage.FileInfo> fresh =
            root.list("oldWALs").stream()
                .filter(file -> !before.files().containsKey(file.name()))
                .toList();
        all.read(entry -> {});
        DeletedLogs.add(root, fresh);
        for (Storage.FileInfo file : fresh) {
          root.delete(file.path());
        }
      }
      all.read(entry -> {});
      first.read(entry -> {}); // the file is not one of its own
      assertThatThrownBy(
              () -> new LogTail(root, Clock.SYSTEM, name -> true, before).read(entry -> {}))
          .isInstanceOf(ChangesLostException.class)
          .hasMessageContaining("are lost to this stream");
      new LogTail(root, Clock.SYSTEM, name -> true, LogTail.Progress.NONE).read(entry -> {});
    }
  }
}
