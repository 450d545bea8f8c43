package dev.cairn.server.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams of Hadoop, of which one of several readers closes one that has failed. */
class HadoopReadableFileTest {
  @TempDir private Path folder;

  @Test
  void aStreamThatAnotherThreadHasClosedFailsAsAnyRead() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[] {1, 2, 3});
    Configuration settings = new Configuration(false);
    try (FileSystem files = new RawLocalFileSystem()) {
      files.initialize(folder.toUri(), settings);
      FSDataInputStream in = files.open(new org.apache.hadoop.fs.Path(file.toUri()));
      byte[] target = new byte[3];
      assertThat(HadoopReadableFile.readOnce(in, 0, target, 0, 3)).isEqualTo(3);
      in.close();
      assertThatIOException().isThrownBy(() -> HadoopReadableFile.readOnce(in, 0, target, 0, 3));
    }
  }
}
