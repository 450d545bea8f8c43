package dev.cairn.torture.cluster;

import dev.cairn.engine.storage.Storage;
import dev.cairn.server.bulkload.SourceFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;

/**
 * Clients' files in the file system of the cluster, as on HDFS: a server moves them by a rename.
 *
 * @param storage the server's view of that file system
 */
record SharedSourceFiles(Storage storage) implements SourceFiles {
  @Override
  public Transfer take(String source, String target, Mode mode) throws IOException {
    if (mode == Mode.COPY) {
      throw new IOException("Simulated clients let servers move their files");
    }
    if (!storage.exists(source)) {
      throw new NoSuchFileException(source);
    }
    storage.rename(source, target);
    return Transfer.MOVED;
  }

  @Override
  public void giveBack(String target, String source) throws IOException {
    storage.rename(target, source);
  }

  @Override
  public void delete(String target) {
    throw new IllegalStateException("Nothing was copied");
  }
}
