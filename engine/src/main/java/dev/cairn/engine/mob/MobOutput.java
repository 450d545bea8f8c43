package dev.cairn.engine.mob;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * One MOB file that is being written: outside of the data, then renamed into place. Its file info
 * has its number of cells under {@code MOB_CELLS_COUNT}. One thread.
 */
final class MobOutput implements Closeable {
  private static final byte[] CELLS_COUNT = Bytes.utf8("MOB_CELLS_COUNT");

  private final Storage storage;
  private final String name;
  private final String path;
  private final HFileWriter writer;
  private final MobReference.Maker references;
  private boolean published;

  MobOutput(
      Storage storage,
      MobDirectory directory,
      String name,
      AppendFile file,
      HFileOptions options,
      Clock clock,
      Optional<Executor> helpers)
      throws IOException {
    this.storage = storage;
    this.name = name;
    this.path = directory.file(name);
    this.writer = new HFileWriter(storage, file, options, clock, helpers, Optional.empty());
    this.references = new MobReference.Maker(directory.place().table(), name);
  }

  /** Returns the file's name. */
  String name() {
    return name;
  }

  /** Returns the bytes so far, about. */
  long byteSize() {
    return writer.byteSize();
  }

  /** Tells whether a reference to the cell can be made: it has room for two tags more. */
  boolean canTake(Cell cell) {
    return references.fits(cell);
  }

  /** Takes a cell, and returns the one that refers to it; valid until the next call. */
  Cell take(Cell cell) throws IOException {
    writer.append(cell);
    return references.make(cell);
  }

  /** Completes the file, on its device. */
  void finish(long maxSequence, boolean major) throws IOException {
    writer.setMaxSequence(maxSequence);
    writer.setMajorCompaction(major);
    writer.putFileInfo(CELLS_COUNT, Bytes.ofLong(writer.entryCount()));
    writer.finish();
  }

  /** Puts the complete file in its place. */
  void publish() throws IOException {
    storage.rename(writer.path(), path);
    published = true;
  }

  /** Lets go of the file, and deletes it if it is not in its place. */
  @Override
  public void close() throws IOException {
    if (!published) {
      writer.close();
      storage.delete(writer.path());
    }
  }
}
