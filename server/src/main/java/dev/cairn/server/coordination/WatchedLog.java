package dev.cairn.server.coordination;

import java.io.File;
import java.io.IOException;
import java.util.Optional;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/**
 * Snapshots and logs in a folder. Remembers why it could not be written: the thread that dies of it
 * does not tell.
 */
final class WatchedLog extends FileTxnSnapLog {
  private volatile Optional<IOException> failure = Optional.empty();

  WatchedLog(File directory) throws IOException {
    super(directory, directory);
  }

  /** Returns why the last write failed; empty if none has failed. */
  Optional<IOException> failure() {
    return failure;
  }

  @Override
  public boolean append(Request request) throws IOException {
    try {
      return super.append(request);
    } catch (IOException e) {
      failure = Optional.of(e);
      throw e;
    }
  }

  @Override
  public void commit() throws IOException {
    try {
      super.commit();
    } catch (IOException e) {
      failure = Optional.of(e);
      throw e;
    }
  }

  @Override
  public void rollLog() throws IOException {
    try {
      super.rollLog();
    } catch (IOException e) {
      failure = Optional.of(e);
      throw e;
    }
  }
}
