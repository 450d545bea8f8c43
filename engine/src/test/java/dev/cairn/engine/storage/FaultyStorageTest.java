package dev.cairn.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.FaultRule.Manner;
import dev.cairn.engine.storage.FaultyStorage.Fault;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FaultyStorageTest extends StorageContract {
  @Override
  protected Storage open() {
    return new FaultyStorage(new MemoryStorage(Clock.SYSTEM), (operation, path) -> false);
  }

  @Test
  void theChosenOperationFailsAndIsNotDone() throws IOException {
    Storage storage =
        new FaultyStorage(new MemoryStorage(Clock.SYSTEM), Fault.nth(StorageOperation.RENAME, 2));
    storage.create("a").close();
    storage.rename("a", "b");
    assertThatThrownBy(() -> storage.rename("b", "c"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("RENAME of b");
    assertThat(storage.exists("b")).isTrue();
    storage.rename("b", "c");
  }

  @Test
  void aFileThatFailedStaysFailed() throws IOException {
    Storage storage =
        new FaultyStorage(new MemoryStorage(Clock.SYSTEM), Fault.nth(StorageOperation.SYNC, 1));
    AppendFile file = storage.create("file");
    file.write(new byte[10], 0, 10);
    assertThatThrownBy(file::sync).hasMessageContaining("SYNC of file");
    assertThatThrownBy(file::sync).hasMessageContaining("unknown state");
    file.close();
    assertThat(storage.readAll("file")).isEmpty();
  }

  @Test
  void aStoppedMachineDoesNothingMore() throws IOException {
    Storage storage = new FaultyStorage(new MemoryStorage(Clock.SYSTEM), Fault.stopAfter(2));
    storage.createDirectories("a");
    storage.createDirectories("b");
    assertThatThrownBy(() -> storage.createDirectories("c")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> storage.exists("a")).isInstanceOf(IOException.class);
  }

  private final MemoryStorage memory = new MemoryStorage(Clock.SYSTEM);
  private final Faults faults = new Faults(new SplittableRandom(1));
  private final FaultyStorage faulty = new FaultyStorage(memory, faults);

  private void write(String path, int length) throws IOException {
    try (AppendFile file = faulty.create(path)) {
      file.write(new byte[length], 0, length);
      file.sync();
    }
  }

  @Test
  void aRuleHoldsForItsMatchesUntilHealed() throws IOException {
    faults.add(FaultRule.of(StorageOperation.CREATE).onPath(p -> p.startsWith("log/")).fromNth(2));
    write("log/1", 10);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> write("log/2", 10)).hasMessageContaining("CREATE of log/2");
      faulty.delete("log/2"); // it may have been made
    }
    write("data/2", 10);
    faults.heal();
    write("log/2", 10);
    assertThat(faults.injected()).containsExactlyEntriesOf(Map.of(StorageOperation.CREATE, 3L));
  }

  @Test
  void aRandomRuleFailsAboutItsPartInTheSamePlacesEachTime() {
    List<List<Integer>> runs = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      Faults random = new Faults(new SplittableRandom(42));
      random.add(FaultRule.anything().withProbability(0.1));
      Storage storage = new FaultyStorage(new MemoryStorage(Clock.SYSTEM), random);
      List<Integer> failed = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        try {
          storage.list("");
        } catch (IOException e) {
          failed.add(i);
        }
      }
      runs.add(failed);
    }
    assertThat(runs.get(0)).isEqualTo(runs.get(1)).hasSizeBetween(60, 140);
  }

  @Test
  void aShortWriteLeavesAPartOfItsBytes() throws IOException {
    Set<Integer> lengths = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      String path = "file" + i;
      faults.heal();
      faults.add(FaultRule.of(StorageOperation.WRITE).how(Manner.PARTLY));
      assertThatThrownBy(() -> write(path, 100)).hasMessageContaining("WRITE of " + path);
      assertThat(memory.afterPowerCut().exists(path)).isFalse();
      lengths.add(memory.readAll(path).length);
    }
    assertThat(lengths).hasSizeGreaterThan(5).allMatch(length -> length <= 100);
  }

  @Test
  void whatAFailedSyncWroteMayBeReadAndIsNotSafe() throws IOException {
    faults.add(FaultRule.of(StorageOperation.SYNC).how(Manner.DONE));
    assertThatThrownBy(() -> write("file", 100)).hasMessageContaining("SYNC of file");
    assertThat(faulty.readAll("file")).hasSize(100);
    assertThat(memory.afterPowerCut().exists("file")).isFalse();
  }

  @Test
  void aRenameThatFailedMayHaveHappenedAndIsNotSafe() throws IOException {
    write("a", 10);
    faults.add(FaultRule.of(StorageOperation.RENAME).how(Manner.DONE));
    assertThatThrownBy(() -> faulty.rename("a", "b")).hasMessageContaining("RENAME of a");
    faults.heal();
    assertThat(faulty.exists("b")).isTrue();
    assertThat(memory.afterPowerCut().exists("a")).isTrue();
    assertThat(memory.afterPowerCut().exists("b")).isFalse();
  }

  @Test
  void aReadMayFlipABitOrComeShort() throws IOException {
    write("zeros", 1000);
    try (ReadableFile file = faulty.open("zeros")) {
      faults.add(FaultRule.of(StorageOperation.READ).how(Manner.FLIPPED_BIT).nth(1));
      byte[] target = new byte[1000];
      file.readFully(0, target, 0, 1000);
      assertThat(BitSet.valueOf(target).cardinality()).isEqualTo(1);
      faults.add(FaultRule.of(StorageOperation.READ).how(Manner.SHORT));
      file.readFully(0, target, 0, 1000);
      assertThat(BitSet.valueOf(target).cardinality()).isZero();
      assertThat(faults.injected().get(StorageOperation.READ)).isGreaterThan(2);
    }
  }

  @Test
  void aFullDiskTakesWhatFitsAndMoreOnceThereIsRoom() throws IOException {
    faulty.limitTo(3 * 4096);
    write("a", 4096);
    write("b", 1);
    assertThat(faulty.usedBytes()).isEqualTo(2 * 4096);
    assertThatThrownBy(() -> write("c", 10_000))
        .isInstanceOf(DiskFullException.class)
        .hasMessageContaining("c")
        .hasMessageContaining("full");
    assertThat(memory.readAll("c")).as("what fitted").hasSize(4096);
    assertThatThrownBy(() -> faulty.create("d")).isInstanceOf(DiskFullException.class);
    assertThatThrownBy(() -> faulty.createDirectories("d")).isInstanceOf(DiskFullException.class);
    assertThat(faulty.exists("d")).isFalse();
    faulty.rename("a", "dir/a");
    assertThat(faulty.readAll("dir/a")).hasSize(4096);
    faulty.delete("dir");
    write("d", 4096);
    assertThatThrownBy(() -> write("e", 1)).isInstanceOf(DiskFullException.class);
    faulty.replace("d", "c");
    assertThat(faulty.usedBytes()).isEqualTo(2 * 4096);
    faulty.limitTo(Long.MAX_VALUE);
    write("f", 1_000_000);
    assertThat(new FaultyStorage(memory, faults).usedBytes()).isEqualTo(faulty.usedBytes());
  }
}
