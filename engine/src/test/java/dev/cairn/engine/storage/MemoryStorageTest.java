package dev.cairn.engine.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.Arrays;
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
}
