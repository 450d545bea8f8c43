package dev.cairn.engine.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of every {@link Storage}. */
public abstract class StorageContract {
  private Storage storage;

  /** Opens an empty storage; it is closed after each test. */
  protected abstract Storage open() throws IOException;

  @BeforeEach
  void openStorage() throws IOException {
    storage = open();
  }

  @AfterEach
  void closeStorage() throws IOException {
    storage.close();
  }

  private void write(String path, String text) throws IOException {
    try (AppendFile file = storage.create(path)) {
      byte[] bytes = text.getBytes(UTF_8);
      file.write(bytes, 0, bytes.length);
    }
  }

  private String read(String path) throws IOException {
    return new String(storage.readAll(path), UTF_8);
  }

  @Test
  void aFileHoldsWhatWasWrittenInPiecesOfAnySize() throws IOException {
    Random random = new Random(7);
    byte[] all = new byte[700_000];
    random.nextBytes(all);
    try (AppendFile file = storage.create("a/b/file")) {
      int at = 0;
      while (at < all.length) {
        int piece = Math.min(all.length - at, random.nextInt(random.nextBoolean() ? 50 : 150_000));
        file.write(all, at, piece);
        at += piece;
        assertThat(file.position()).isEqualTo(at);
      }
      assertThat(file.path()).isEqualTo("a/b/file");
    }
    assertThat(storage.readAll("a/b/file")).isEqualTo(all);
    try (ReadableFile file = storage.open("a/b/file")) {
      byte[] part = new byte[100_000];
      file.readFully(65_500, part, 10, 90_000);
      assertThat(java.util.Arrays.copyOfRange(part, 10, 90_010))
          .isEqualTo(java.util.Arrays.copyOfRange(all, 65_500, 155_500));
    }
  }

  @Test
  void readingStopsAtTheEnd() throws IOException {
    write("file", "0123456789");
    try (ReadableFile file = storage.open("file")) {
      assertThat(file.length()).isEqualTo(10);
      byte[] target = new byte[20];
      assertThat(file.read(10, target, 0, 5)).isEqualTo(-1);
      assertThat(file.read(1000, target, 0, 5)).isEqualTo(-1);
      assertThat(file.read(8, target, 0, 5)).isEqualTo(2);
      assertThatThrownBy(() -> file.readFully(8, target, 0, 5))
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("file");
    }
  }

  @Test
  void aReaderSeesTheLengthAtItsOpening() throws IOException {
    try (AppendFile file = storage.create("growing")) {
      file.write(new byte[100], 0, 100);
      file.flush();
      try (ReadableFile reader = storage.open("growing")) {
        file.write(new byte[100_000], 0, 100_000);
        file.sync();
        assertThat(reader.length()).isEqualTo(100);
        assertThat(reader.read(100, new byte[1], 0, 1)).isEqualTo(-1);
      }
    }
    try (ReadableFile reader = storage.open("growing")) {
      assertThat(reader.length()).isEqualTo(100_100);
    }
  }

  @Test
  void anEmptyFileIsAFile() throws IOException {
    write("empty", "");
    assertThat(storage.exists("empty")).isTrue();
    assertThat(storage.readAll("empty")).isEmpty();
  }

  @Test
  void aFileIsCreatedOnce() throws IOException {
    write("dir/file", "first");
    assertThatThrownBy(() -> storage.create("dir/file"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("dir/file");
    assertThatThrownBy(() -> storage.create("dir")).isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> storage.create("dir/file/below")).isInstanceOf(IOException.class);
    assertThat(read("dir/file")).isEqualTo("first");
  }

  @Test
  void aClosedFileTakesNothingMore() throws IOException {
    AppendFile file = storage.create("file");
    file.close();
    file.close();
    assertThatThrownBy(() -> file.write(new byte[1], 0, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("file");
    assertThatThrownBy(file::sync).isInstanceOf(IOException.class);
    ReadableFile reader = storage.open("file");
    reader.close();
    reader.close();
    assertThatThrownBy(() -> reader.read(0, new byte[1], 0, 1)).isInstanceOf(IOException.class);
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    assertThatThrownBy(() -> storage.open("no/such"))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("no/such");
    assertThatThrownBy(() -> storage.rename("no/such", "there"))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("no/such");
    assertThat(storage.exists("no/such")).isFalse();
    assertThat(storage.list("no/such")).isEmpty();
    assertThat(storage.delete("no/such")).isFalse();
  }

  @Test
  void aListIsOrderedByNameAndShallow() throws IOException {
    write("dir/b", "12");
    write("dir/a", "1");
    write("dir/c/deep", "x");
    write("dirt", "x");
    assertThat(storage.list("dir"))
        .extracting(Storage.FileInfo::path)
        .containsExactly("dir/a", "dir/b", "dir/c");
    assertThat(storage.list("dir"))
        .extracting(Storage.FileInfo::directory)
        .containsExactly(false, false, true);
    assertThat(storage.list("dir"))
        .extracting(Storage.FileInfo::length)
        .containsExactly(1L, 2L, 0L);
    assertThat(storage.list("")).extracting(Storage.FileInfo::name).contains("dir", "dirt");
    assertThatThrownBy(() -> storage.list("dirt")).isInstanceOf(IOException.class);
  }

  @Test
  void aRenameMovesFilesAndWholeDirectories() throws IOException {
    write("from/a", "1");
    write("from/deep/b", "2");
    storage.rename("from", "new/place/to");
    assertThat(storage.exists("from")).isFalse();
    assertThat(read("new/place/to/a")).isEqualTo("1");
    assertThat(read("new/place/to/deep/b")).isEqualTo("2");
    storage.rename("new/place/to/a", "a");
    assertThat(read("a")).isEqualTo("1");
  }

  @Test
  void aFileIsCreatedInADirectoryThatExists() throws IOException {
    assertThatThrownBy(() -> storage.createIn("dir/file")).isInstanceOf(NoSuchFileException.class);
    assertThat(storage.exists("dir")).isFalse();
    storage.createDirectories("dir");
    storage.createIn("dir/file").close();
    assertThat(read("dir/file")).isEmpty();
    assertThatThrownBy(() -> storage.createIn("dir/file"))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void aFileIsMovedIntoADirectoryThatExists() throws IOException {
    write("file", "text");
    assertThatThrownBy(() -> storage.moveIn("file", "dir/file"))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(storage.exists("dir")).isFalse();
    storage.createDirectories("dir");
    storage.moveIn("file", "dir/file");
    assertThat(read("dir/file")).isEqualTo("text");
    assertThatThrownBy(() -> storage.moveIn("file", "dir/other"))
        .isInstanceOf(NoSuchFileException.class);
    write("file", "more");
    assertThatThrownBy(() -> storage.moveIn("file", "dir/file"))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(read("dir/file")).isEqualTo("text");
  }

  @Test
  void aDirectoryIsMovedIntoADirectoryThatExists() throws IOException {
    write("from/deep/file", "text");
    assertThatThrownBy(() -> storage.moveIn("from", "dir/to"))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(storage.exists("dir")).isFalse();
    assertThat(read("from/deep/file")).isEqualTo("text");
    storage.createDirectories("dir");
    storage.moveIn("from", "dir/to");
    assertThat(read("dir/to/deep/file")).isEqualTo("text");
    assertThat(storage.exists("from")).isFalse();
  }

  @Test
  void aDirectoryIsCreatedInADirectoryThatExists() throws IOException {
    assertThatThrownBy(() -> storage.createDirectoryIn("a/b"))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> storage.createScratch("a/b")).isInstanceOf(NoSuchFileException.class);
    assertThat(storage.exists("a")).isFalse();
    storage.createDirectories("a");
    storage.createDirectoryIn("a/b");
    write("a/b/file", "text");
    storage.createDirectoryIn("a/b");
    storage.createScratch("a/b");
    assertThat(read("a/b/file")).isEqualTo("text");
    assertThatThrownBy(() -> storage.createDirectoryIn("a/b/file")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> storage.createDirectoryIn("a/b/file/c"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void whatIsDiscardedIsGone() throws IOException {
    storage.createDirectories("a");
    storage.createScratch("a/b");
    storage.createScratch("a/b");
    storage.createIn("a/b/file").close();
    assertThat(storage.discard("a")).isTrue();
    assertThat(storage.exists("a")).isFalse();
    assertThat(storage.discard("a")).isFalse();
  }

  @Test
  void aRenameNeverReplaces() throws IOException {
    write("a", "a");
    write("b", "b");
    storage.createDirectories("empty");
    assertThatThrownBy(() -> storage.rename("a", "b"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("b");
    assertThatThrownBy(() -> storage.rename("a", "empty"))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(read("a") + read("b")).isEqualTo("ab");
  }

  @Test
  void aReplaceReplacesFilesOnly() throws IOException {
    write("a", "a");
    write("b", "b");
    storage.createDirectories("directory");
    storage.replace("a", "b");
    assertThat(read("b")).isEqualTo("a");
    assertThat(storage.exists("a")).isFalse();
    storage.replace("b", "new");
    assertThat(read("new")).isEqualTo("a");
    assertThatThrownBy(() -> storage.replace("new", "directory")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> storage.replace("directory", "new")).isInstanceOf(IOException.class);
  }

  @Test
  void aDeleteTakesWhatLiesBelow() throws IOException {
    write("dir/a", "1");
    write("dir/deep/b", "2");
    assertThat(storage.delete("dir")).isTrue();
    assertThat(storage.exists("dir")).isFalse();
    assertThat(storage.delete("dir")).isFalse();
    write("dir/a", "again");
    assertThat(read("dir/a")).isEqualTo("again");
  }

  @Test
  protected void anOpenFileOutlivesItsName() throws IOException {
    write("a", "1234");
    try (ReadableFile moved = storage.open("a")) {
      storage.rename("a", "b");
      byte[] target = new byte[4];
      moved.readFully(0, target, 0, 4);
      storage.delete("b");
      moved.readFully(0, target, 0, 4);
      assertThat(target).isEqualTo("1234".getBytes(UTF_8));
    }
  }

  @Test
  void writeAllReplacesAsAWhole() throws IOException {
    storage.writeAll("dir/small", "one".getBytes(UTF_8));
    storage.writeAll("dir/small", "two".getBytes(UTF_8));
    assertThat(read("dir/small")).isEqualTo("two");
    assertThat(storage.list("dir")).hasSize(1);
  }

  @Test
  void createAllCreatesFilesInAnyDirectories() throws IOException {
    storage.createAll(
        List.of(small("a/one", "1"), small("a/b/two", "2"), small("three", "3"), small("a/0", "")));
    assertThat(read("a/one")).isEqualTo("1");
    assertThat(read("a/b/two")).isEqualTo("2");
    assertThat(read("three")).isEqualTo("3");
    assertThat(read("a/0")).isEmpty();
    assertThat(storage.list("a")).hasSize(3);
  }

  @Test
  void createAllOverwritesNothing() throws IOException {
    write("a/old", "old");
    assertThatThrownBy(() -> storage.createAll(List.of(small("a/old", "new"))))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(read("a/old")).isEqualTo("old");
  }

  private static Storage.SmallFile small(String path, String text) {
    return new Storage.SmallFile(path, text.getBytes(UTF_8));
  }

  @Test
  void noPathLeavesTheStorage() {
    for (String path :
        new String[] {"../x", "a/../../x", "/x", "a//b", "a/", ".", "a/./b", "a\\b", "a\0b"}) {
      assertThatThrownBy(() -> storage.create(path)).as(path).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> storage.open(path)).as(path).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> storage.list(path)).as(path).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> storage.delete(path)).as(path).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> storage.rename("a", path)).as(path).isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> storage.delete("")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> storage.rename("", "a")).isInstanceOf(IOException.class);
  }

  @Test
  void namesWithPeriodsAreNames() throws IOException {
    write(".tmp/..x/...", "fine");
    assertThat(read(".tmp/..x/...")).isEqualTo("fine");
  }

  @Test
  void anInterruptedThreadHarmsNobody() throws Exception {
    byte[] bytes = new byte[300_000];
    new Random(1).nextBytes(bytes);
    ExecutorService executor = Executors.newFixedThreadPool(2);
    try (AppendFile file = storage.create("file")) {
      Future<Boolean> interrupted =
          executor.submit(
              () -> {
                Thread.currentThread().interrupt();
                file.write(bytes, 0, bytes.length);
                file.sync();
                try (ReadableFile mine = storage.open("file")) {
                  mine.readFully(0, new byte[bytes.length], 0, bytes.length);
                }
                storage.rename("file", "renamed");
                return Thread.interrupted();
              });
      assertThat(interrupted.get()).isTrue();
      try (ReadableFile shared = storage.open("renamed")) {
        Future<?> reader =
            executor.submit(
                () -> {
                  byte[] target = new byte[bytes.length];
                  for (int i = 0; i < 200; i++) {
                    shared.readFully(0, target, 0, target.length);
                    assertThat(target).isEqualTo(bytes);
                  }
                  return null;
                });
        Thread[] victim = new Thread[1];
        Future<?> target =
            executor.submit(
                () -> {
                  victim[0] = Thread.currentThread();
                  while (!reader.isDone()) {
                    shared.readFully(0, new byte[bytes.length], 0, bytes.length);
                    Thread.interrupted();
                  }
                  return null;
                });
        while (!reader.isDone()) {
          if (victim[0] != null) {
            victim[0].interrupt();
          }
          Thread.onSpinWait();
        }
        reader.get();
        target.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }
}
