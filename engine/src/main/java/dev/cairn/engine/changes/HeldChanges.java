package dev.cairn.engine.changes;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.WalEntry;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * Keeps the cells of changes that are read but not returned yet: in memory up to a limit, the
 * others in a scratch file, which is deleted when it is empty or closed. One thread.
 */
final class HeldChanges implements Closeable {
  private final Storage scratch;
  private final String path;
  private final long memoryMax;
  private long memory;
  private int inFile;
  private Optional<AppendFile> output = Optional.empty();
  private Optional<ReadableFile> input = Optional.empty();

  /**
   * Creates an empty one.
   *
   * @param path of the scratch file
   * @param memoryMax how many bytes of cells stay in memory
   */
  HeldChanges(Storage scratch, String path, long memoryMax) {
    this.scratch = scratch;
    this.path = path;
    this.memoryMax = memoryMax;
  }

  /**
   * One change.
   *
   * @param entry without its cells if they are in the file
   * @param offset of the cells in the file; negative if they are in memory
   * @param length of the cells, bytes
   */
  record Held(WalEntry entry, long offset, int length) {
    private static final long IN_MEMORY = -1;

    long sequence() {
      return entry.sequence();
    }

    long writeTimeMillis() {
      return entry.writeTimeMillis();
    }
  }

  /** Adds a change. */
  Held add(WalEntry entry) throws IOException {
    CellBuffer cells = entry.cells();
    int length = cells.blockSize();
    if (memory + length <= memoryMax) {
      memory += length;
      return new Held(entry, Held.IN_MEMORY, length);
    }
    if (output.isEmpty()) {
      scratch.delete(path);
      output = Optional.of(scratch.create(path));
    }
    long offset = output.get().position();
    for (int piece = 0; piece < cells.pieces(); piece++) {
      output.get().write(cells.piece(piece), 0, cells.pieceSize(piece));
    }
    inFile++;
    return new Held(with(entry, new CellBuffer(0, 0)), offset, length);
  }

  /** Removes a change and returns its entry. */
  WalEntry take(Held held) throws IOException {
    if (held.offset() == Held.IN_MEMORY) {
      memory -= held.length();
      return held.entry();
    }
    if (input.isPresent() && held.offset() + held.length() > input.get().length()) {
      input.get().close();
      input = Optional.empty();
    }
    if (input.isEmpty()) {
      output.orElseThrow().flush();
      input = Optional.of(scratch.open(path));
    }
    byte[] block = new byte[held.length()];
    input.get().readFully(held.offset(), block, 0, block.length);
    if (--inFile == 0) {
      close();
    }
    return with(held.entry(), CellBuffer.ofBlock(block));
  }

  private static WalEntry with(WalEntry entry, CellBuffer cells) {
    return new WalEntry(
        entry.region(), entry.table(), entry.sequence(), entry.writeTimeMillis(), cells);
  }

  @Override
  public void close() throws IOException {
    if (input.isPresent()) {
      input.get().close();
      input = Optional.empty();
    }
    if (output.isPresent()) {
      output.get().close();
      output = Optional.empty();
      scratch.delete(path);
    }
  }
}
