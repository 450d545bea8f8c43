package dev.cairn.bench.hfile;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.ForwardingAppendFile;
import dev.cairn.engine.storage.ForwardingStorage;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;

/**
 * A storage that hands files to the operating system instead of syncing them to the device:
 * Apache's writer does not sync, and the device is not measured.
 */
final class UnsyncedStorage extends ForwardingStorage {
  UnsyncedStorage(Storage storage) {
    super(storage);
  }

  @Override
  public AppendFile create(String path) throws IOException {
    return new UnsyncedFile(super.create(path));
  }

  @Override
  public void syncDirectory(String path) {
    // Nothing is synced here.
  }

  private static final class UnsyncedFile extends ForwardingAppendFile {
    UnsyncedFile(AppendFile file) {
      super(file);
    }

    @Override
    public void sync() throws IOException {
      flush();
    }
  }
}
