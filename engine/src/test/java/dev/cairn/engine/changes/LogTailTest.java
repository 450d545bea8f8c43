package dev.cairn.engine.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.changes.ChangePosition.FilePosition;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
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
