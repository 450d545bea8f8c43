package dev.cairn.server.bulkload;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Copies local files into a storage that is no file system, such as the memory of a test. Targets
 * are paths in that storage.
 */
public record CopiedSourceFiles(Storage storage) implements SourceFiles {
  private static final int BUFFER_BYTES = 1 << 20;

  @Override
  public Transfer take(String source, String target, Mode mode) throws IOException {
    if (!LocalFiles.isLocal(source)) {
      throw new IOException(
          source + " cannot be loaded: a server in memory loads files of the local disk only");
    }
    Path from = LocalFiles.path(source);
    if (!Files.isRegularFile(from)) {
      throw new NoSuchFileException(source);
    }
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream input = Files.newInputStream(from);
        AppendFile output = storage.create(target)) {
      for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
        output.write(buffer, 0, read);
      }
      output.sync();
    }
    return Transfer.COPIED;
  }

  @Override
  public void giveBack(String target, String source) {
    throw new IllegalStateException("Nothing was moved");
  }

  @Override
  public void delete(String target) throws IOException {
    storage.delete(target);
  }
}
