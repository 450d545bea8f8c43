package dev.cairn.interop.hadoop;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageContract;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.hadoop.HadoopStorage;
import dev.cairn.server.hadoop.HdfsLogSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on Hadoop's local file system, without its checksum files. */
class LocalHadoopStorageTest extends StorageContract {
  @TempDir private Path folder;

  @Override
  protected Storage open() throws IOException {
    FileSystem files = new RawLocalFileSystem();
    files.initialize(URI.create("file:///"), new Configuration());
    return storage(files, folder.resolve("made/by/it"));
  }

  private static Storage storage(FileSystem files, Path root) {
    return new HadoopStorage(
        files,
        new org.apache.hadoop.fs.Path(root.toUri()),
        HdfsLogSettings.DEFAULTS,
        Clock.SYSTEM,
        Runnable::run);
  }

  @Test
  void aFileThatCannotBeTakenFromItsWriterIsNoLog() throws IOException {
    try (Storage storage = open()) {
      assertThatThrownBy(() -> storage.createFenced("file")).hasMessageContaining("only HDFS");
      assertThatThrownBy(() -> storage.seal("file")).hasMessageContaining("only HDFS");
    }
  }

  @Test
  void aStreamThatCannotSyncIsNotTrusted() throws IOException {
    // Hadoop's checksummed local file system keeps the end of a file in memory until it is closed.
    try (Storage storage = HadoopStorage.open(folder.toUri(), new Configuration(), Clock.SYSTEM);
        var file = storage.create("file")) {
      file.write(new byte[10], 0, 10);
      assertThatThrownBy(file::sync).isInstanceOf(IOException.class).hasMessageContaining("file");
    }
  }

  @Test
  void aFileSystemThatPromisesTooLittleIsNotWrittenTo() throws IOException {
    Files.createDirectories(folder.resolve("there"));
    FileSystem files = new ForeignFileSystem();
    files.initialize(URI.create("file:///"), new Configuration());
    try (Storage storage = storage(files, folder)) {
      org.assertj.core.api.Assertions.assertThat(storage.exists("there")).isTrue();
      assertThatThrownBy(() -> storage.create("file")).hasMessageContaining("only be read");
      assertThatThrownBy(() -> storage.delete("there")).hasMessageContaining("only be read");
      assertThatThrownBy(() -> storage.rename("there", "here"))
          .hasMessageContaining("only be read");
    }
  }

  /** Stands for one of the object stores. */
  private static final class ForeignFileSystem extends org.apache.hadoop.fs.FilterFileSystem {
    ForeignFileSystem() {
      super(new RawLocalFileSystem());
    }
  }
}
