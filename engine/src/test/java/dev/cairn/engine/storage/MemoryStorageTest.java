package dev.cairn.engine.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MemoryStorageTest extends StorageContract {
  @Override
  protected Storage open() {
    return new MemoryStorage(Clock.SYSTEM);
  }

  private static void append(AppendFile file, String text) throws IOException {
    file.write(text.getBytes(UTF_8), 0, text.length());
  }

  @Test
  void aKillLosesWhatWasNotFlushed() throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    AppendFile file = storage.create("file");
    append(file, "flushed ");
    file.flush();
    append(file, "only written");
    MemoryStorage after = storage.afterKill();
    file.sync();
    assertThat(after.readAll("file")).asString().isEqualTo("flushed ");
    assertThat(after.afterPowerCut().exists("file")).isFalse();
  }

  @Test
  void aPowerCutLosesWhatWasNotSynced() throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    AppendFile synced = storage.create("dir/synced");
    append(synced, "synced ");
    synced.sync();
    append(synced, "flushed");
    synced.close();
    storage.create("dir/never-synced").close();
    storage.create("dir/moved.tmp").close();
    storage.rename("dir/moved.tmp", "dir/moved");
    storage.createDirectories("made");
    storage.createDirectoryIn("made/inside");
    storage.createScratch("made/scratch");
    MemoryStorage after = storage.afterPowerCut();
    assertThat(after.readAll("dir/synced")).asString().isEqualTo("synced ");
    assertThat(after.exists("dir/never-synced")).isFalse();
    assertThat(after.exists("dir/moved")).isTrue();
    assertThat(after.exists("made")).isTrue();
    assertThat(storage.readAll("dir/synced")).asString().isEqualTo("synced flushed");
  }

  @Test
  void aRandomPowerCutKeepsWhatWasSyncedAndAnyOfTheRest() throws IOException {
    byte[] ones = new byte[200_000];
    Arrays.fill(ones, (byte) 1);
    for (int seed = 0; seed < 200; seed++) {
      MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
      SplittableRandom random = new SplittableRandom(seed);
      int durable = random.nextInt(100_000);
      AppendFile file = storage.create("file");
      file.write(ones, 0, durable);
      file.sync();
      file.write(ones, durable, ones.length - durable);
      file.flush();
      byte[] after = storage.afterPowerCut(random).readAll("file");
      assertThat(after.length).as("seed %d", seed).isBetween(durable, ones.length);
      assertThat(Arrays.mismatch(after, 0, durable, ones, 0, durable))
          .as("seed %d", seed)
          .isEqualTo(-1);
      assertThat(storage.readAll("file")).isEqualTo(ones);
    }
  }

  @Test
  void aRandomPowerCutLeavesHolesTornSectorsAndLateArrivals() throws IOException {
    byte[] ones = new byte[100_000];
    Arrays.fill(ones, (byte) 1);
    int holes = 0;
    int tornInSector = 0;
    int endOnly = 0;
    int whole = 0;
    for (int seed = 0; seed < 300; seed++) {
      MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
      AppendFile file = storage.create("file");
      file.write(ones, 0, 1000);
      file.sync();
      file.write(ones, 1000, ones.length - 1000);
      file.close();
      byte[] after = storage.afterPowerCut(new SplittableRandom(seed)).readAll("file");
      byte[] again = storage.afterPowerCut(new SplittableRandom(seed)).readAll("file");
      assertThat(again).as("equal seeds, equal cuts; seed %d", seed).isEqualTo(after);
      int firstZero = indexOf(after, 0, 0);
      int oneAfter = firstZero < 0 ? -1 : indexOf(after, 1, firstZero);
      holes += oneAfter >= 0 && firstZero > 1000 ? 1 : 0;
      endOnly += oneAfter >= 0 && firstZero == 1000 ? 1 : 0;
      tornInSector += firstZero > 1000 && firstZero % 512 != 0 ? 1 : 0;
      whole += after.length == ones.length && firstZero < 0 ? 1 : 0;
    }
    assertThat(holes).as("holes between bytes that arrived").isPositive();
    assertThat(endOnly).as("later bytes without the earlier ones").isPositive();
    assertThat(tornInSector).as("sectors that are not whole").isPositive();
    assertThat(whole).as("all arrived").isPositive();
  }

  private static int indexOf(byte[] bytes, int wanted, int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  @Test
  void aKillMayKeepAPartOfWhatWasOnlyWritten() throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    AppendFile file = storage.create("file");
    append(file, "flushed ");
    file.flush();
    append(file, "only written");
    for (int seed = 0; seed < 50; seed++) {
      String after =
          new String(storage.afterKill(new SplittableRandom(seed)).readAll("file"), UTF_8);
      assertThat("flushed only written").startsWith(after);
      assertThat(after).startsWith("flushed ");
    }
  }

  @Test
  void aPowerCutUndoesNamesThatWereNotSynced() throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    synced(storage, "dir/moved");
    synced(storage, "dir/deleted");
    synced(storage, "dir/old");
    synced(storage, "dir/new");
    Storage unsynced = storage.unsynced();
    unsynced.rename("dir/moved", "other/moved");
    unsynced.delete("dir/deleted");
    unsynced.replace("dir/new", "dir/old");
    unsynced.createDirectories("made/deep");
    assertThat(storage.exists("other/moved")).isTrue();
    assertThat(storage.exists("dir/deleted")).isFalse();
    assertThat(storage.readAll("dir/old")).asString().isEqualTo("dir/new");

    MemoryStorage worst = storage.afterKill().afterPowerCut();
    assertThat(worst.readAll("dir/moved")).asString().isEqualTo("dir/moved");
    assertThat(worst.exists("other/moved")).isFalse();
    assertThat(worst.exists("dir/deleted")).isTrue();
    assertThat(worst.readAll("dir/old")).asString().isEqualTo("dir/old");
    assertThat(worst.exists("made")).isFalse();

    Set<String> seen = new HashSet<>();
    for (int seed = 0; seed < 100; seed++) {
      MemoryStorage after = storage.afterPowerCut(new SplittableRandom(seed));
      boolean here = after.exists("dir/moved");
      assertThat(after.exists("other/moved")).as("moved as a whole").isEqualTo(!here);
      String old = new String(after.readAll("dir/old"), UTF_8);
      assertThat(after.exists("dir/new")).isEqualTo(old.equals("dir/old"));
      seen.add(here + old + after.exists("dir/deleted"));
    }
    assertThat(seen).as("all combinations").hasSize(8);

    synced(storage, "dir/another");
    worst = storage.afterPowerCut();
    assertThat(worst.exists("other/moved")).as("synced with its directory").isTrue();
    assertThat(worst.exists("dir/deleted")).isFalse();
    assertThat(worst.readAll("dir/old")).asString().isEqualTo("dir/new");
    assertThat(worst.exists("made")).isFalse();
    storage.createDirectories("made/deep");
    assertThat(storage.afterPowerCut().exists("made/deep")).isTrue();
  }

  @Test
  void aPowerCutLeavesAllFilesThatWereCreatedTogether() throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    storage.createAll(
        List.of(
            new Storage.SmallFile("a/b/one", new byte[] {1}),
            new Storage.SmallFile("two", new byte[] {2})));
    MemoryStorage after = storage.afterPowerCut();
    assertThat(after.readAll("a/b/one")).containsExactly(1);
    assertThat(after.readAll("two")).containsExactly(2);
  }

  private static void synced(Storage storage, String path) throws IOException {
    try (AppendFile file = storage.create(path)) {
      append(file, path);
      file.sync();
    }
  }
}
