package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellFormat;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Reads one log file from front to back, one that this project wrote or one that HBase wrote
 * without encryption.
 *
 * <pre>{@code
 * try (WalReader reader = WalReader.open(storage, path)) {
 *   while (reader.next()) {
 *     use(reader.entry());
 *   }
 *   log(reader.end());
 * }
 * }</pre>
 *
 * <p>If an entry is not whole, there are two cases. Either no acknowledged entry is missing: the
 * writer stopped there, and {@link #end} reports it. Or the file is damaged in a part that was
 * complete: {@link CorruptWalException}. {@link TornTailCheck} distinguishes them.
 *
 * <p>No length is believed before it is checked. One thread.
 */
public final class WalReader implements Closeable {
  private static final int CELL_LENGTHS_SIZE = 12;

  /** Three lengths, three names of two bytes, timestamp and type. */
  private static final int COMPRESSED_CELL_SIZE_MIN = 3 + 3 * 2 + 9;

  private final ReadableFile file;
  private final WalInput input;
  private final CRC32C crc = new CRC32C();
  private final WalKey key = new WalKey();
  private final WalHeader header;
  private final KeyReader keys;
  private final WalNames names;
  private final Optional<CellDecoder> decoder;
  private final long limit;
  private final boolean closedInOrder;
  private final Tail tail;
  private long position;
  private long cellsEnd;
  private long entryOffset;
  private Optional<WalEntry> entry = Optional.empty();
  private Optional<WalEnd> end = Optional.empty();

  /** The expected end of the file after the last whole entry. */
  private enum Tail {
    /** Nothing: the file is final. */
    FINAL,
    /**
     * Nothing: the log continued in another file, which has all entries that were not synced in
     * this one.
     */
    SUPERSEDED,
    /** More entries: the file may still be written. */
    GROWING
  }

  private WalReader(ReadableFile file, Tail tail) throws IOException {
    this.tail = tail;
    this.file = file;
    this.input = new WalInput(file);
    this.header = WalHeader.read(file);
    this.keys = new KeyReader(input, header);
    Optional<WalDictionaries> dictionaries =
        header.compression().dictionary() ? Optional.of(new WalDictionaries()) : Optional.empty();
    this.names = new WalNames(dictionaries);
    this.decoder = dictionaries.map(known -> new CellDecoder(input, header.compression(), known));
    this.position = header.end();
    if (header.isTorn()) {
      this.limit = 0;
      this.closedInOrder = false;
      this.end = Optional.of(ended(WalEnd.Kind.TORN, "the header is not whole"));
    } else {
      Optional<Long> trailer = tail == Tail.GROWING ? Optional.empty() : header.findTrailer(file);
      this.limit = trailer.orElse(file.length());
      this.closedInOrder = trailer.isPresent();
    }
  }

  /**
   * Opens a log file.
   *
   * @throws CorruptWalException if it does not begin like one
   * @throws IOException also if it is encrypted, or in another form that is not supported
   */
  public static WalReader open(Storage storage, String path) throws IOException {
    return open(storage, path, Tail.FINAL);
  }

  /**
   * As {@link #open(Storage, String)}.
   *
   * @param superseded the log went on in another file, which has all that was not synced in this
   *     one if this one has no trailer
   */
  public static WalReader openFinal(Storage storage, String path, boolean superseded)
      throws IOException {
    return open(storage, path, superseded ? Tail.SUPERSEDED : Tail.FINAL);
  }

  /**
   * Opens a log file that is not sealed yet, to read the whole entries that it has now. Does not
   * check the end of the file.
   */
  public static WalReader openGrowing(Storage storage, String path) throws IOException {
    return open(storage, path, Tail.GROWING);
  }

  private static WalReader open(Storage storage, String path, Tail tail) throws IOException {
    ReadableFile file = storage.open(path);
    try {
      return new WalReader(file, tail);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Moves to the next entry.
   *
   * @return false after the last one; {@link #end} then describes the end of the file
   * @throws CorruptWalException if the file is damaged here
   */
  public boolean next() throws IOException {
    if (end.isPresent()) {
      entry = Optional.empty();
      return false;
    }
    if (position == limit) {
      return finish(ended(closedInOrder ? WalEnd.Kind.CLOSED : WalEnd.Kind.UNCLOSED, ""));
    }
    try {
      entry = Optional.of(read());
      return true;
    } catch (WalDamage damage) {
      if (tail == Tail.GROWING) {
        return finish(ended(WalEnd.Kind.UNCLOSED, damage.getMessage()));
      }
      TornTailCheck judge =
          new TornTailCheck(input, header, keys, file.path(), limit, tail == Tail.SUPERSEDED);
      return finish(
          judge.judge(
              damage, Math.max(entryOffset, header.end()), position, closedInOrder, file.length()));
    }
  }

  /**
   * Returns the entry that the last {@link #next} moved to. It belongs to the caller.
   *
   * @throws IllegalStateException if there is none
   */
  public WalEntry entry() {
    return entry.orElseThrow(() -> new IllegalStateException("next() has not found an entry"));
  }

  /** Returns the offset of {@link #entry} in the file, bytes. */
  public long entryOffset() {
    return entryOffset;
  }

  /** Returns the size of {@link #entry} in the file, key and cells, bytes. */
  public long entryLength() {
    return position - entryOffset;
  }

  /** Returns the offset in the file of the next entry, bytes. */
  public long position() {
    return position;
  }

  /**
   * Tells whether another reader of the file can continue at this reader's position. That requires
   * a file in which each entry can be checked and decoded alone.
   */
  public boolean isResumable() {
    return header.isChecksummed() && decoder.isEmpty();
  }

  /**
   * Continues at the position of another reader of the same file, which must be {@linkplain
   * #isResumable resumable}. Returns false if the file ends before that position; then it must be
   * read from its beginning.
   */
  public boolean resume(long from) {
    if (!isResumable() || from < header.end() || from > limit) {
      return false;
    }
    position = from;
    return true;
  }

  /**
   * Continues at a place that {@link #position} of another reader of the same file has returned.
   *
   * @return false if the file ends before that place
   * @throws CorruptWalException if the file is damaged before that place
   */
  public boolean seek(long offset) throws IOException {
    if (offset <= position) {
      return true;
    }
    if (isResumable()) {
      return resume(offset);
    }
    while (position < offset && next()) {
      entry = Optional.empty();
    }
    return position == offset;
  }

  /** Returns the metadata of the file. */
  public WalFileInfo info() {
    return new WalFileInfo(
        file.path(),
        header.writerClass(),
        header.codecClass(),
        header.compression(),
        header.isChecksummed(),
        header.end(),
        closedInOrder,
        file.length());
  }

  /**
   * Returns the end of the file: whether and how it is complete.
   *
   * @throws IllegalStateException if {@link #next} has not returned false yet
   */
  public WalEnd end() {
    return end.orElseThrow(() -> new IllegalStateException("There may be more entries"));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private boolean finish(WalEnd found) {
    entry = Optional.empty();
    end = Optional.of(found);
    return false;
  }

  private WalEnd ended(WalEnd.Kind kind, String detail) {
    return new WalEnd(kind, position, file.length(), detail);
  }

  private WalEntry read() throws IOException, WalDamage {
    long cellsAt = keys.read(position, limit, WalFormat.KEY_LENGTH_MAX, key);
    names.take(key, input.bytes());
    CellBuffer cells = header.isChecksummed() ? readCheckedCells(cellsAt) : readCells(cellsAt);
    entryOffset = position;
    position = cellsEnd;
    return new WalEntry(
        names.region(),
        names.table(),
        key.sequence(),
        key.writeTimeMillis(),
        cells,
        key.nonce(),
        key.clusterIds(),
        names.attributes());
  }

  /** Reads cells with the length and checksum of the key, which is checked already. */
  private CellBuffer readCheckedCells(long at) throws IOException, WalDamage {
    long length = key.cellsLength();
    if (length < 0 || key.cellCount() > length / cellSizeMin()) {
      throw WalDamage.wrong("expected a length of " + key.cellCount() + " cells, found " + length);
    }
    int index = input.load(at, length, limit, "cells");
    int found = WalFormat.cellsChecksum(crc, input.bytes(), index, (int) length, header.salt());
    if (found != key.cellsChecksum()) {
      throw WalDamage.wrong(
          "expected checksum %08x of the cells, found %08x".formatted(key.cellsChecksum(), found));
    }
    CellBuffer cells = new CellBuffer((int) length, key.cellCount());
    cellsEnd = at;
    for (int i = 0; i < key.cellCount(); i++) {
      cellsEnd = readCell(cellsEnd, at + length, cells);
    }
    if (cellsEnd != at + length) {
      throw WalDamage.wrong("expected " + length + " bytes of cells, found " + (cellsEnd - at));
    }
    return cells;
  }

  private int cellSizeMin() {
    return decoder.isPresent() ? COMPRESSED_CELL_SIZE_MIN : CELL_LENGTHS_SIZE;
  }

  /** Reads cells of a known number, which is not trusted before they are there. */
  private CellBuffer readCells(long at) throws IOException, WalDamage {
    CellBuffer cells = new CellBuffer();
    cellsEnd = at;
    for (int i = 0; i < key.cellCount(); i++) {
      cellsEnd = readCell(cellsEnd, limit, cells);
    }
    return cells;
  }

  /** Reads one cell and returns where it ends. */
  private long readCell(long at, long cellsEnd, CellBuffer target) throws IOException, WalDamage {
    if (decoder.isPresent()) {
      return decoder.get().decode(at, cellsEnd, target);
    }
    int index = input.load(at, CELL_LENGTHS_SIZE, cellsEnd, "cell");
    int length = Bytes.getInt(input.bytes(), index);
    long parts =
        8L + Bytes.getInt(input.bytes(), index + 4) + Bytes.getInt(input.bytes(), index + 8);
    if (length < parts || parts < 8 || length > parts + 2 + 0xFFFF) {
      throw WalDamage.wrong(
          "expected a cell whose lengths agree, found " + length + " for parts of " + parts);
    }
    index = input.load(at, 4L + length, cellsEnd, "cell") + 4;
    try {
      CellFormat.check(input.bytes(), index, length);
    } catch (IllegalArgumentException e) {
      throw WalDamage.wrong("expected a cell: " + e.getMessage());
    }
    target.add(input.bytes(), index, length);
    return at + 4L + length;
  }
}
