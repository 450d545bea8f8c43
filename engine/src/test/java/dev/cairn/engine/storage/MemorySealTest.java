package dev.cairn.engine.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MemorySealTest extends SealContract {
  @Override
  protected Storage open() {
    return new MemoryStorage(Clock.SYSTEM);
  }

  @Test
  void aSealSurvivesAnyCrashWithTheBytesThatItEnded() throws IOException {
    for (int seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
      AppendFile file = storage.createFenced("file");
      file.write("flushed".getBytes(UTF_8), 0, 7);
      file.flush();
      file.write("written".getBytes(UTF_8), 0, 7);
      storage.seal("file");
      for (MemoryStorage after :
          new MemoryStorage[] {
            storage.afterKill(),
            storage.afterKill(random),
            storage.afterPowerCut(),
            storage.afterPowerCut(random)
          }) {
        assertThat(after.readAll("file")).asString().isEqualTo("flushed");
        assertThat(after.seal("file")).isEqualTo(7);
      }
    }
  }

  /** Shows what a test loses whose log is not fenced. */
  @Test
  void theWriterOfAFileThatIsNotFencedIsNotHinderedAndNotSeen() throws IOException {
    MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
    AppendFile file = storage.create("file");
    file.write("flushed".getBytes(UTF_8), 0, 7);
    file.flush();
    storage.seal("file");
    file.write("late".getBytes(UTF_8), 0, 4);
    file.sync();
    assertThat(storage.readAll("file")).asString().isEqualTo("flushed");
  }
}
