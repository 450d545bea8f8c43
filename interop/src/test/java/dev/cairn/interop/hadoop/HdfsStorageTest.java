package dev.cairn.interop.hadoop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageContract;
import dev.cairn.server.hadoop.HadoopStorage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on HDFS. */
class HdfsStorageTest extends StorageContract {
  private static final AtomicInteger DIRECTORIES = new AtomicInteger();
  @TempDir private static Path folder;
  private static Hdfs hdfs;

  @BeforeAll
  static void start() throws IOException {
    hdfs = Hdfs.start(folder);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  @Override
  protected Storage open() throws IOException {
    return HadoopStorage.open(
        URI.create(hdfs.uri() + "/data/" + DIRECTORIES.incrementAndGet()), hdfs.settings());
  }

  /** On HDFS that holds for a renaming only: a deleted file's blocks go within seconds. */
  @Override
  @Test
  protected void anOpenFileOutlivesItsName() throws IOException {
    try (Storage storage = open()) {
      storage.writeAll("a", "1234".getBytes(UTF_8));
      try (ReadableFile moved = storage.open("a")) {
        storage.rename("a", "b");
        byte[] target = new byte[4];
        moved.readFully(0, target, 0, 4);
        assertThat(target).isEqualTo("1234".getBytes(UTF_8));
      }
    }
  }
}
