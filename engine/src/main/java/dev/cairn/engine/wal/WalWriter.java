package dev.cairn.engine.wal;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Writes one log file in the form that {@link WalFormat} draws. Nothing is allocated per cell, and
 * per entry only when a region comes for the first time. One thread.
 */
final class WalWriter {
  private static final int WRITE_SIZE = 1 << 20;

  private final AppendFile file;
  private final WalBuffer buffer;
  private final long salt;
  private final CRC32C crc = new CRC32C();
  private final Map<String, RegionProgress> regions = new HashMap<>();
  private long durableOffset;

  private WalWriter(AppendFile file, WalBuffer buffer) {
    this.file = file;
    this.buffer = buffer;
    this.salt = WalFormat.salt(file.path());
  }

  /**
   * Creates a file and writes, but does not sync, its header.
   *
   * @param buffer used while a call runs and until the next {@link #flush}; writers that are
   *     flushed before another one is used may share it
   */
  static WalWriter create(Storage storage, String path, WalBuffer buffer) throws IOException {
    WalWriter writer = new WalWriter(storage.create(path), buffer);
    WalFormat.writeHeader(buffer, writer.salt);
    writer.drain();
    return writer;
  }

  String path() {
    return file.path();
  }

  /** Returns the length of all that was written. */
  long position() {
    return file.position() + buffer.size();
  }

  /** Tells whether nothing has been appended. */
  boolean isEmpty() {
    return regions.isEmpty();
  }

  /** Returns the highest sequence number that was appended for each region. */
  Map<String, Long> highestSequences() {
    Map<String, Long> highest = new HashMap<>();
    regions.forEach((region, progress) -> highest.put(region, progress.highest));
    return highest;
  }

  /** Appends one entry. */
  void append(WalEntry entry) throws IOException {
    RegionProgress region = regions.get(entry.region());
    if (region == null) {
      region = new RegionProgress(entry.region(), entry.table());
      regions.put(entry.region(), region);
    }
    region.highest = Math.max(region.highest, entry.sequence());
    serialize(entry, region);
    if (buffer.size() >= WRITE_SIZE) {
      drain();
    }
  }

  /** Passes everything on to the file, so that another writer may use the buffer. */
  void handOver() throws IOException {
    drain();
  }

  /** Hands everything to the operating system. */
  void flush() throws IOException {
    drain();
    file.flush();
  }

  /** Brings everything to the device. */
  void sync() throws IOException {
    drain();
    file.sync();
    durableOffset = file.position();
  }

  /** Writes the trailer, syncs all, and closes: for a file that nobody reads before. */
  void seal() throws IOException {
    WalFormat.writeTrailer(buffer, salt);
    sync();
    file.close();
  }

  /**
   * Syncs, writes the trailer, and closes. The trailer says that all before it was synced, and
   * needs no sync of its own.
   */
  void finish() throws IOException {
    sync();
    WalFormat.writeTrailer(buffer, salt);
    drain();
    file.close();
  }

  /** Closes without trailer, after an error or where the file is not wanted. */
  void abandon() throws IOException {
    buffer.clear();
    file.close();
  }

  private void drain() throws IOException {
    if (buffer.size() > 0) {
      file.write(buffer.bytes(), 0, buffer.size());
      buffer.clear();
    }
  }

  private void serialize(WalEntry entry, RegionProgress region) {
    CellBuffer cells = entry.cells();
    int count = cells.size();
    int cellsLength = Math.addExact(cells.byteSize(), Math.multiplyExact(4, count));
    int keyLength =
        region.keyPrefix.length
            + 1
            + WalBuffer.varintSize(entry.sequence())
            + 1
            + WalBuffer.varintSize(entry.writeTimeMillis())
            + 1
            + WalBuffer.varintSize(count)
            + nonceSize(entry.nonce())
            + 2
            + WalBuffer.varintSize(cellsLength)
            + 2
            + WalBuffer.varintSize(durableOffset)
            + 2 * WalFormat.CHECKSUM_FIELD_SIZE;
    buffer.reserve(Math.addExact(keyLength + 10, cellsLength));
    int start = buffer.size();
    buffer.putVarint(keyLength);
    buffer.putBytes(region.keyPrefix, 0, region.keyPrefix.length);
    putNumber(WalFormat.KEY_SEQUENCE, entry.sequence());
    putNumber(WalFormat.KEY_WRITE_TIME, entry.writeTimeMillis());
    putNumber(WalFormat.KEY_CELL_COUNT, count);
    if (entry.nonce().isPresent()) {
      putNumber(WalFormat.KEY_NONCE_GROUP, entry.nonce().group());
      putNumber(WalFormat.KEY_NONCE, entry.nonce().number());
    }
    putNumber(WalFormat.KEY_CELLS_LENGTH, cellsLength);
    putNumber(WalFormat.KEY_DURABLE_OFFSET, durableOffset);
    buffer.putVarint(WalFormat.tag(WalFormat.KEY_CELLS_CHECKSUM, WalFormat.WIRE_FIXED32));
    int cellsChecksumAt = buffer.size();
    buffer.putFixed32(0);
    buffer.putVarint(WalFormat.tag(WalFormat.KEY_CHECKSUM, WalFormat.WIRE_FIXED32));
    int keyChecksumAt = buffer.size();
    buffer.putFixed32(0);
    int cellsAt = buffer.size();
    for (int i = 0; i < count; i++) {
      buffer.putInt(cells.length(i));
      buffer.putBytes(cells.bytes(), cells.offset(i), cells.length(i));
    }
    byte[] bytes = buffer.bytes();
    buffer.setFixed32(
        cellsChecksumAt, WalFormat.cellsChecksum(crc, bytes, cellsAt, cellsLength, salt));
    buffer.setFixed32(
        keyChecksumAt, WalFormat.keyChecksum(crc, bytes, start, keyChecksumAt - start, salt));
  }

  private static int nonceSize(Nonce nonce) {
    return nonce.isPresent()
        ? 1 + WalBuffer.varintSize(nonce.group()) + 1 + WalBuffer.varintSize(nonce.number())
        : 0;
  }

  private void putNumber(int field, long value) {
    buffer.putVarint(WalFormat.tag(field, WalFormat.WIRE_VARINT));
    buffer.putVarint(value);
  }

  /** What the file knows of one region: the constant begin of its keys, and its newest entry. */
  private static final class RegionProgress {
    final byte[] keyPrefix;
    long highest = Long.MIN_VALUE;

    RegionProgress(String region, TableName table) {
      WalBuffer prefix = new WalBuffer();
      putText(prefix, WalFormat.KEY_REGION, region);
      putText(prefix, WalFormat.KEY_TABLE, table.toString());
      this.keyPrefix = java.util.Arrays.copyOf(prefix.bytes(), prefix.size());
    }

    private static void putText(WalBuffer target, int field, String text) {
      byte[] bytes = Bytes.utf8(text);
      target.putVarint(WalFormat.tag(field, WalFormat.WIRE_BYTES));
      target.putVarint(bytes.length);
      target.putBytes(bytes, 0, bytes.length);
    }
  }
}
