package dev.cairn.interop.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.interop.hadoop.SharedHdfs;
import dev.cairn.interop.process.ForgetfulDisk;
import dev.cairn.server.bulkload.LocalSourceFiles;
import dev.cairn.server.bulkload.SourceFiles;
import dev.cairn.server.hadoop.HadoopSourceFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A file that a bulk load brings from HDFS to the local disk survives a power cut. */
@Tag("long")
class BulkLoadPowerCutTest {
  private static final int DISK_MEGABYTES = 300;
  private static final int FILE_BYTES = 3 << 20;

  @RegisterExtension static final SharedHdfs HDFS = new SharedHdfs();

  @TempDir private Path folder;

  @Test
  void aFileFromHdfsIsOnTheDiskBeforeItIsLoaded() throws IOException {
    byte[] bytes = new byte[FILE_BYTES];
    new Random(1).nextBytes(bytes);
    String source = HDFS.home() + "/f/1";
    try (FileSystem hdfs = FileSystem.newInstance(HDFS.hdfs().settings());
        OutputStream out = hdfs.create(new org.apache.hadoop.fs.Path(source))) {
      out.write(bytes);
    }
    try (ForgetfulDisk disk = ForgetfulDisk.make(folder, DISK_MEGABYTES);
        LocalStorage storage = new LocalStorage(disk.path())) {
      storage.createDirectories("store");
      SourceFiles sources =
          new LocalSourceFiles(
              disk.path(), () -> new HadoopSourceFiles(storage.url(""), HDFS.hdfs().settings()));
      sources.take(source, storage.url("staging/1"), SourceFiles.Mode.COPY);
      storage.moveIn("staging/1", "store/1"); // as a region does
      disk.cut();
      disk.restore();
      assertThat(Files.readAllBytes(disk.path().resolve("store/1"))).isEqualTo(bytes);
    }
  }
}
