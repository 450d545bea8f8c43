package dev.cairn.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStorageTest extends StorageContract {
  @TempDir Path folder;

  @Override
  protected Storage open() throws IOException {
    return new LocalStorage(folder.resolve("made/by/the/storage"));
  }

  @Test
  void aFileInPlaceOfTheFolderIsRefused() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> new LocalStorage(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void aSecondLockInThisProcessIsRefusedAndHarmsNotTheFirst() throws Exception {
    LocalStorage first = new LocalStorage(folder);
    LocalStorage second = new LocalStorage(folder);
    try (StorageLock held = first.lock("data.lock")) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> second.lock("data.lock"))
            .isInstanceOf(IOException.class)
            .hasMessageContaining("this process");
      }
      assertThat(lockFromAnotherProcess())
          .contains("in use by process " + ProcessHandle.current().pid());
      held.close();
    }
    second.lock("data.lock").close();
    assertThat(lockFromAnotherProcess()).contains("locked");
  }

  @Test
  void aLockThatAKilledProcessHeldIsFree() throws IOException {
    Files.writeString(folder.resolve("data.lock"), "");
    Files.writeString(folder.resolve("data.lock.owner"), "1 2020-01-01T00:00:00Z\n");
    new LocalStorage(folder).lock("data.lock").close();
  }

  private String lockFromAnotherProcess() throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Locker.class.getName(),
                    folder.toString()))
            .redirectErrorStream(true)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes());
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }

  /** The second process. */
  static final class Locker {
    private Locker() {}

    public static void main(String[] arguments) {
      try (StorageLock lock = new LocalStorage(Path.of(arguments[0])).lock("data.lock")) {
        System.out.println("locked");
      } catch (IOException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
