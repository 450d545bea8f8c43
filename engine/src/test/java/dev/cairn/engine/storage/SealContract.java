package dev.cairn.engine.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The effect of a seal on the writer of the file, the same for every {@link Storage}. */
public abstract class SealContract {
  /** The call with which a writer secures its bytes. */
  protected enum Safety {
    FLUSH {
      @Override
      void apply(AppendFile file) throws IOException {
        file.flush();
      }
    },
    SYNC {
      @Override
      void apply(AppendFile file) throws IOException {
        file.sync();
      }
    };

    abstract void apply(AppendFile file) throws IOException;
  }

  private static final int ROUNDS = 50;
  private static final String DIRECTORY = "WALs/server";
  private static final String PATH = DIRECTORY + "/file.1";
  private static final String MOVED = "WALs/server-splitting";

  private Storage writers;
  private Storage sealers;

  /** Opens the storage of the writer; it is closed after each test. */
  protected abstract Storage open() throws IOException;

  /**
   * Opens the storage of the one that seals, with the same files; it is closed after each test. By
   * default the same storage.
   */
  protected Storage openAgain(Storage first) throws IOException {
    return first;
  }

  @BeforeEach
  void openStorages() throws IOException {
    writers = open();
    sealers = openAgain(writers);
    writers.createDirectories(DIRECTORY);
  }

  @AfterEach
  void closeStorages() throws IOException {
    try (Storage second = sealers) {
      writers.close();
    }
  }

  private static void write(AppendFile file, String text) throws IOException {
    file.write(text.getBytes(UTF_8), 0, text.length());
  }

  private AppendFile begin(Safety safety, String text) throws IOException {
    AppendFile file = writers.createFenced(PATH);
    write(file, text);
    safety.apply(file);
    return file;
  }

  private String read(String path) throws IOException {
    return new String(sealers.readAll(path), UTF_8);
  }

  /** Checks that the file holds this and its writer can add nothing to it. */
  private void assertEnded(AppendFile file, Safety safety, String path, String text)
      throws IOException {
    assertThatThrownBy(() -> safety.apply(file)).isInstanceOf(IOException.class);
    for (Safety any : Safety.values()) {
      assertThatThrownBy(
              () -> {
                write(file, "late");
                any.apply(file);
              })
          .isInstanceOf(IOException.class);
    }
    assertThat(read(path)).isEqualTo(text);
    assertThat(sealers.list(path.substring(0, path.lastIndexOf('/'))))
        .extracting(Storage.FileInfo::path, Storage.FileInfo::length)
        .containsExactly(tuple(path, (long) text.length()));
    try {
      file.close();
    } catch (IOException expected) {
      assertThat(expected).hasMessageContaining(PATH);
    }
    assertThat(read(path)).isEqualTo(text);
  }

  @ParameterizedTest
  @EnumSource
  void aWriterThatSleptBeforeItsWriteAddsNothing(Safety safety) throws IOException {
    AppendFile file = begin(safety, "before");
    assertThat(sealers.seal(PATH)).isEqualTo(6);
    try {
      write(file, "after");
    } catch (IOException allowed) {
      assertThat(allowed).hasMessageContaining(PATH);
    }
    assertEnded(file, safety, PATH, "before");
  }

  @ParameterizedTest
  @EnumSource
  void aWriterThatSleptBetweenItsWriteAndItsSyncAddsNothing(Safety safety) throws IOException {
    AppendFile file = begin(safety, "before");
    write(file, "after");
    assertThat(sealers.seal(PATH)).isEqualTo(6);
    assertEnded(file, safety, PATH, "before");
  }

  @ParameterizedTest
  @EnumSource
  void aWriterThatNeverFlushedIsLeftWithAnEmptyFile(Safety safety) throws IOException {
    AppendFile file = writers.createFenced(PATH);
    write(file, "after");
    assertThat(sealers.seal(PATH)).isZero();
    assertEnded(file, safety, PATH, "");
  }

  @ParameterizedTest
  @EnumSource
  void aFileIsSealedUnderTheNameThatItHasNow(Safety safety) throws IOException {
    AppendFile file = begin(safety, "before");
    sealers.rename(DIRECTORY, MOVED);
    write(file, "after");
    assertThat(sealers.seal(MOVED + "/file.1")).isEqualTo(6);
    assertEnded(file, safety, MOVED + "/file.1", "before");
  }

  @ParameterizedTest
  @EnumSource
  void aSealedFileMayMove(Safety safety) throws IOException {
    AppendFile file = begin(safety, "before");
    sealers.seal(PATH);
    sealers.createDirectories("oldWALs");
    sealers.rename(PATH, "oldWALs/file.1");
    write(file, "after");
    assertEnded(file, safety, "oldWALs/file.1", "before");
    assertThat(sealers.list(DIRECTORY)).isEmpty();
    assertThat(sealers.seal("oldWALs/file.1")).isEqualTo(6);
    assertThat(sealers.delete("oldWALs/file.1")).isTrue();
    assertThat(sealers.list("oldWALs")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aSealedFileMayMoveWithItsDirectory(Safety safety) throws IOException {
    AppendFile file = begin(safety, "before");
    sealers.seal(PATH);
    sealers.rename(DIRECTORY, MOVED);
    write(file, "after");
    assertEnded(file, safety, MOVED + "/file.1", "before");
  }

  /** The writer is at any point of its work when the file is sealed. */
  @ParameterizedTest
  @EnumSource
  void whatAWriterWasToldIsSafeIsWithinTheSealedLength(Safety safety) throws Exception {
    assumeThatWritersMayRace();
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      for (int round = 0; round < ROUNDS; round++) {
        String path = DIRECTORY + "/race." + round;
        AppendFile file = writers.createFenced(path);
        CountDownLatch running = new CountDownLatch(1);
        Future<Long> writer =
            executor.submit(
                () -> {
                  long told = 0;
                  try {
                    while (true) {
                      write(file, "0123456789");
                      safety.apply(file);
                      told = file.position();
                      running.countDown();
                    }
                  } catch (IOException sealed) {
                    return told;
                  }
                });
        running.await();
        long length = sealers.seal(path);
        assertThat(writer.get()).isLessThanOrEqualTo(length);
        assertThat(sealers.readAll(path)).hasSize((int) length);
        assertThat(sealers.seal(path)).isEqualTo(length);
      }
    } finally {
      executor.shutdownNow();
    }
  }

  /** Skips tests that seal a file in the middle of a flush or sync, where that may take long. */
  protected void assumeThatWritersMayRace() {}

  @Test
  void allWhoSealAFileAreToldOneLength() throws Exception {
    assumeThatWritersMayRace();
    ExecutorService executor = Executors.newFixedThreadPool(4);
    try {
      AppendFile file = begin(Safety.FLUSH, "0123456789");
      CountDownLatch running = new CountDownLatch(1);
      Future<?> writer =
          executor.submit(
              () -> {
                try {
                  while (true) {
                    write(file, "0123456789");
                    file.flush();
                    running.countDown();
                  }
                } catch (IOException sealed) {
                  return null;
                }
              });
      running.await();
      List<Future<Long>> lengths = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        lengths.add(executor.submit(() -> sealers.seal(PATH)));
      }
      Set<Long> told = new HashSet<>();
      for (Future<Long> length : lengths) {
        told.add(length.get());
      }
      writer.get();
      assertThat(told).hasSize(1);
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void aFileThatWasClosedStaysAsItIs() throws IOException {
    try (AppendFile file = writers.createFenced(PATH)) {
      write(file, "whole");
    }
    assertThat(sealers.seal(PATH)).isEqualTo(5);
    assertThat(sealers.seal(PATH)).isEqualTo(5);
    assertThat(read(PATH)).isEqualTo("whole");
  }

  @Test
  void theWritersOfOtherFilesGoOn() throws IOException {
    AppendFile file = begin(Safety.SYNC, "before");
    try (AppendFile next = writers.createFenced(DIRECTORY + "/file.2")) {
      sealers.seal(PATH);
      write(next, "next");
      next.sync();
      assertThat(read(DIRECTORY + "/file.2")).isEqualTo("next");
    }
    try {
      file.close();
    } catch (IOException expected) {
      assertThat(expected).hasMessageContaining(PATH);
    }
  }

  @Test
  void aFencedFileDoesNotMakeItsDirectory() throws IOException {
    assertThatThrownBy(() -> writers.createFenced("WALs/none/file.1"))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("WALs/none/file.1");
    assertThat(writers.exists("WALs/none")).isFalse();
    sealers.rename(DIRECTORY, MOVED);
    assertThatThrownBy(() -> writers.createFenced(PATH)).isInstanceOf(NoSuchFileException.class);
    assertThat(sealers.exists(DIRECTORY)).isFalse();
  }

  @Test
  void aFencedFileIsCreatedOnce() throws IOException {
    begin(Safety.FLUSH, "first").close();
    assertThatThrownBy(() -> writers.createFenced(PATH))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining(PATH);
    assertThatThrownBy(() -> writers.createFenced(DIRECTORY))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(read(PATH)).isEqualTo("first");
  }

  @Test
  void onlyAFileIsSealed() {
    assertThatThrownBy(() -> sealers.seal(PATH))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(PATH);
    assertThatThrownBy(() -> sealers.seal(DIRECTORY))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(DIRECTORY);
  }
}
