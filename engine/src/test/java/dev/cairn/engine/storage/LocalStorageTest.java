package dev.cairn.engine.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
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

  @Test
  void whatTheSystemCannotTellIsNotTakenForAbsent() throws IOException {
    Path loop = folder.resolve("loop");
    try {
      Files.createSymbolicLink(loop, loop);
    } catch (UnsupportedOperationException | IOException e) {
      Assumptions.abort("There are no symbolic links here: " + e);
    }
    Storage storage = new LocalStorage(folder);
    assertThatThrownBy(() -> storage.exists("loop/file"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("loop");
    assertThatThrownBy(() -> storage.delete("loop/file")).isInstanceOf(IOException.class);
  }

  @Test
  void nothingIsBelowAFile() throws IOException {
    Files.createFile(folder.resolve("file"));
    Storage storage = new LocalStorage(folder);
    assertThat(storage.exists("file/a/b")).isFalse();
    assertThat(storage.delete("file/a/b")).isFalse();
  }

  /** Hadoop would refuse a file that does not fit the checksums beside it. */
  @Test
  void checksumsThatHadoopPutBesideAFileDoNotOutliveIt() throws IOException {
    LocalStorage storage = new LocalStorage(folder);
    for (String name : List.of("created", "from", "to", "deleted", "old", "new")) {
      Files.createDirectories(folder.resolve("a"));
      Files.writeString(folder.resolve("a/." + name + ".crc"), "of another content");
    }
    storage.create("a/created").close();
    storage.create("a/kept").close();
    Files.writeString(folder.resolve("a/from"), "");
    storage.rename("a/from", "a/to");
    Files.writeString(folder.resolve("a/deleted"), "");
    storage.delete("a/deleted");
    Files.writeString(folder.resolve("a/new"), "");
    storage.replace("a/new", "a/old");
    assertThat(storage.list("a"))
        .extracting(Storage.FileInfo::name)
        .containsExactly("created", "kept", "old", "to");
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
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
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

  @Test
  void aFullDiskIsToldByTheSentencesOfTheOperatingSystems() {
    for (String sentence :
        List.of(
            "No space left on device",
            "Disk quota exceeded",
            "The DiskSpace quota of /hbase is exceeded: quota = 1 B = 1 B",
            "There is not enough space on the disk")) {
      assertThat(DiskFullException.isSaidBy(new IOException(sentence))).as(sentence).isTrue();
      assertThat(DiskFullException.isSaidBy(new FileSystemException("/a/b", null, sentence)))
          .as(sentence)
          .isTrue();
    }
    assertThat(DiskFullException.isSaidBy(new IOException("Input/output error"))).isFalse();
    assertThat(DiskFullException.isSaidBy(new IOException((String) null))).isFalse();
    assertThat(
            DiskFullException.isSaidBy(
                new FileSystemException("/no space left on device", null, "Is a directory")))
        .isFalse();
  }

  @Test
  @EnabledIf("hasFullDevice")
  void aFullDeviceIsAFullDisk() throws IOException {
    try (LocalAppendFile file =
        new LocalAppendFile("file", Path.of("/dev/full"), Optional.empty())) {
      file.write(new byte[100], 0, 100);
      assertThatThrownBy(file::flush)
          .isInstanceOf(DiskFullException.class)
          .hasMessageContaining("file");
      assertThatThrownBy(file::flush).hasMessageContaining("unknown state");
    }
  }

  static boolean hasFullDevice() {
    return Files.isWritable(Path.of("/dev/full"));
  }
}
