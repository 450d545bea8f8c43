package dev.cairn.engine.wal.file;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import java.io.Closeable;
import java.io.IOException;

/**
 * Writes entries to a file in the form of a log, for a copy of logs elsewhere; {@link WalReader}
 * reads it. The file is whole and on the device once {@link #finish} has returned. One thread.
 */
public final class EntryFileWriter implements Closeable {
  private final AppendFile file;
  private final WalWriter writer;

  private EntryFileWriter(AppendFile file, WalWriter writer) {
    this.file = file;
    this.writer = writer;
  }

  /** Creates a file, and the directories above it. */
  public static EntryFileWriter create(Storage storage, String path) throws IOException {
    AppendFile file = storage.create(path);
    try {
      return new EntryFileWriter(
          file, WalWriter.begin(file, new WalBuffer(), WalCompression.NONE, SyncLevel.SYNCED));
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /** Appends an entry. */
  public void append(WalEntry entry) throws IOException {
    writer.append(entry);
  }

  /** Returns the length of all that was written, bytes. */
  public long position() {
    return writer.position();
  }

  /** Ends the file and makes it durable. */
  public void finish() throws IOException {
    writer.end();
    file.sync();
    file.close();
  }

  /** Closes the file, which is not whole unless it was {@linkplain #finish finished}. */
  @Override
  public void close() throws IOException {
    file.close();
  }
}
