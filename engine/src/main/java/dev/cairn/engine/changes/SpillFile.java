package dev.cairn.engine.changes;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.file.ClusterIds;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A scratch file with entries that did not fit into memory. It holds runs; a run holds entries of
 * one region. An entry is its number, its time, the lengths of its cluster ids and of its cells,
 * the ids, and the block of its cells. The file is deleted after the last entry is taken, or when
 * it is closed. Not thread-safe.
 */
final class SpillFile implements Closeable {
  private final Storage scratch;
  private final String path;
  private final AppendFile output;
  private Optional<ReadableFile> input = Optional.empty();
  private int runs;
  private boolean isClosed;

  private SpillFile(Storage scratch, String path, AppendFile output) {
    this.scratch = scratch;
    this.path = path;
    this.output = output;
  }

  /** Creates a file; replaces one that a killed process has left. */
  static SpillFile create(Storage scratch, String path) throws IOException {
    scratch.delete(path);
    return new SpillFile(scratch, path, scratch.create(path));
  }

  /**
   * Writes entries.
   *
   * @param entries of one region, ordered by their number; at least one
   */
  SpilledRun write(List<WalEntry> entries) throws IOException {
    long offset = output.position();
    ByteBuffer header = ByteBuffer.allocate(SpilledRun.HEADER_SIZE);
    for (WalEntry entry : entries) {
      CellBuffer cells = entry.cells();
      byte[] ids = ClusterIds.toBytes(entry.clusterIds());
      header
          .clear()
          .putLong(entry.sequence())
          .putLong(entry.writeTimeMillis())
          .putInt(ids.length)
          .putInt(cells.blockSize());
      output.write(header.array(), 0, SpilledRun.HEADER_SIZE);
      output.write(ids, 0, ids.length);
      for (int piece = 0; piece < cells.pieces(); piece++) {
        output.write(cells.piece(piece), 0, cells.pieceSize(piece));
      }
    }
    runs++;
    return new SpilledRun(this, offset, output.position(), entries.get(0));
  }

  /** Ends the writing. After it, entries can be taken. */
  void endWriting() throws IOException {
    output.close();
    input = Optional.of(scratch.open(path));
  }

  void readFully(long offset, byte[] target, int length) throws IOException {
    input.orElseThrow().readFully(offset, target, 0, length);
  }

  /** Counts a run whose entries are all taken. */
  void release() throws IOException {
    if (--runs == 0) {
      close();
    }
  }

  /** Tells whether the file is deleted. */
  boolean isClosed() {
    return isClosed;
  }

  @Override
  public void close() throws IOException {
    output.close();
    if (input.isPresent()) {
      input.get().close();
      input = Optional.empty();
    }
    scratch.delete(path);
    isClosed = true;
  }
}
