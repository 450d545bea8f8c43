package dev.cairn.engine.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.cairn.engine.time.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract between two processes that share a folder. */
class LocalSealTest extends SealContract {
  @TempDir private Path folder;

  @Override
  protected Storage open() throws IOException {
    return new LocalStorage(folder);
  }

  @Override
  protected Storage openAgain(Storage first) throws IOException {
    return new LocalStorage(folder);
  }

  /** The writer sleeps after the bytes are on the device and before it looks for the marker. */
  @ParameterizedTest
  @EnumSource
  void aWriterThatSleptBetweenItsSyncAndItsLookIsNotTold(Safety safety) throws IOException {
    Storage storage = new LocalStorage(folder);
    Path path = folder.resolve("file");
    LocalSeal sleeping =
        new LocalSeal(path) {
          @Override
          boolean isAbsent() {
            try {
              storage.seal("file");
            } catch (IOException e) {
              throw new AssertionError(e);
            }
            return super.isAbsent();
          }
        };
    storage.create("file").close();
    AppendFile file = new LocalAppendFile("file", path, Optional.of(sleeping));
    file.write("bytes".getBytes(UTF_8), 0, 5);
    assertThatThrownBy(() -> safety.apply(file))
        .isInstanceOf(SealedFileException.class)
        .hasMessageContaining("file was sealed");
    assertThatThrownBy(file::sync).hasMessageContaining("unknown state");
    assertThat(storage.readAll("file")).hasSize(5);
    file.close();
  }

  /** The sealer moves the directory while the writer is between its two looks. */
  @Test
  void aWriterThatLooksWhileItsSealedFileMovesIsNotTold() throws IOException {
    Storage storage = new LocalStorage(folder);
    storage.createDirectories("log");
    AppendFile file = storage.createFenced("log/file");
    file.write("bytes".getBytes(UTF_8), 0, 5);
    storage.seal("log/file");
    storage.rename("log", "log-splitting");
    storage.createDirectories("log"); // neither marker nor file is there
    assertThatThrownBy(file::sync).isInstanceOf(SealedFileException.class);
    file.close();
  }

  /** A sealer was killed after it had fenced the writer, or a power cut took what it wrote. */
  @ParameterizedTest
  @ValueSource(strings = {"", "3", "\0\0", "x\n", "\n"})
  void aMarkerThatIsNotWholeFencesTheWriterAndIsFinishedByTheNextSealer(String left)
      throws IOException {
    Storage storage = new LocalStorage(folder);
    AppendFile file = storage.createFenced("file");
    file.write("before".getBytes(UTF_8), 0, 6);
    file.flush();
    Files.writeString(folder.resolve(".file.sealed"), left);
    file.write("after".getBytes(UTF_8), 0, 5);
    assertThatThrownBy(file::flush).isInstanceOf(SealedFileException.class);
    assertThat(storage.readAll("file")).hasSize(11);
    assertThat(storage.seal("file")).isEqualTo(11);
    assertThat(Files.readString(folder.resolve(".file.sealed"))).isEqualTo("11\n");
    file.close();
  }

  @Test
  void aSurvivingWriterThatWritesIntoASealedFileIsNotSeen() throws IOException {
    Storage storage = new LocalStorage(folder.resolve("other"));
    storage.createFenced("file").close();
    assertThat(storage.seal("file")).isZero();
    Files.writeString(folder.resolve("other/file"), "late bytes");
    assertThat(storage.readAll("file")).isEmpty();
    assertThat(storage.list(""))
        .extracting(Storage.FileInfo::name, Storage.FileInfo::length)
        .containsExactly(tuple("file", 0L));
  }

  /** The writer has lost the file, but its bytes are there when the sealer has read the length. */
  @Test
  void aReaderWaitsForTheProcessThatSealsTheFile() throws Exception {
    Storage storage = new LocalStorage(folder);
    AppendFile file = storage.createFenced("file");
    file.write("before".getBytes(UTF_8), 0, 6);
    file.flush();
    try (SealingProcess sealer = SealingProcess.begin(folder.resolve("file"))) {
      file.write("after".getBytes(UTF_8), 0, 5);
      assertThatThrownBy(file::flush).isInstanceOf(SealedFileException.class);
      assertThat(storage.list(""))
          .as("a list does not wait")
          .filteredOn(info -> info.name().equals("file"))
          .extracting(Storage.FileInfo::length)
          .containsExactly(11L);
      FutureTask<byte[]> reading = new FutureTask<>(() -> storage.readAll("file"));
      Thread reader = new Thread(reading, "test-reader");
      reader.start();
      Waiting.until(() -> reader.getState() == Thread.State.TIMED_WAITING || reading.isDone());
      reader.interrupt(); // it goes on
      sealer.end();
      assertThat(reading.get()).asString(UTF_8).isEqualTo("before");
    }
    file.close();
  }

  @Test
  void aReaderDoesNotWaitForAProcessThatWasKilledWhileItSealed() throws Exception {
    Storage storage = new LocalStorage(folder);
    AppendFile file = storage.createFenced("file");
    file.write("before".getBytes(UTF_8), 0, 6);
    file.flush();
    SealingProcess sealer = SealingProcess.begin(folder.resolve("file"));
    file.write("after".getBytes(UTF_8), 0, 5);
    assertThatThrownBy(file::flush).isInstanceOf(SealedFileException.class);
    sealer.close();
    assertThat(storage.readAll("file")).hasSize(11);
    assertThat(storage.seal("file")).isEqualTo(11);
    file.close();
  }

  @Test
  void aNewFileIsNotSealedByAMarkerThatWasLeft() throws IOException {
    Storage storage = new LocalStorage(folder);
    Files.writeString(folder.resolve(".file.sealed"), "0\n");
    storage.writeAll("file", "new".getBytes(UTF_8));
    assertThat(storage.readAll("file")).hasSize(3);
  }
}
