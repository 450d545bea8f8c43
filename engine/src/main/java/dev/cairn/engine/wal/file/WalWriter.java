package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.compile.CompiledApart;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Writes one log file in the form that {@link WalFormat} documents. Nothing is allocated per cell,
 * and per entry only when a region comes for the first time. One thread.
 */
public final class WalWriter {
  private static final int WRITE_SIZE = 1 << 20;

  /**
   * Minimum size of an entry's cells that are written by themselves: the size of a file's buffer.
   */
  private static final int LONG_CELLS_SIZE = 64 << 10;

  private final AppendFile file;
  private final WalBuffer buffer;
  private final long salt;
  private final CRC32C crc = new CRC32C();
  private final Map<String, RegionProgress> regions = new HashMap<>();
  private final Optional<Compressor> compressor;
  private final SyncLevel syncLevel;
  private long durableOffset;
  private long flushedOffset;

  private WalWriter(
      AppendFile file, WalBuffer buffer, WalCompression compression, SyncLevel syncLevel) {
    this.file = file;
    this.buffer = buffer;
    this.syncLevel = syncLevel;
    this.salt = WalFormat.salt(file.path());
    this.compressor =
        compression.dictionary() ? Optional.of(new Compressor(compression)) : Optional.empty();
  }

  /**
   * Creates a file that another process can seal, in a directory that exists; otherwise as {@link
   * #create}.
   *
   * @throws java.nio.file.NoSuchFileException if the directory does not exist
   */
  public static WalWriter createFenced(
      Storage storage,
      String path,
      WalBuffer buffer,
      WalCompression compression,
      SyncLevel syncLevel)
      throws IOException {
    return begin(storage.createFenced(path), buffer, compression, syncLevel);
  }

  /**
   * Creates a file, and the directories above it, and writes, but does not sync, its header.
   *
   * @param buffer used while a call runs and until the next {@link #flush}; writers that are
   *     flushed before another one is used may share it
   * @param syncLevel the level at which entries are treated as acknowledged
   */
  public static WalWriter create(
      Storage storage,
      String path,
      WalBuffer buffer,
      WalCompression compression,
      SyncLevel syncLevel)
      throws IOException {
    return begin(storage.create(path), buffer, compression, syncLevel);
  }

  /** Begins to write to an empty file, as {@link #create} does. */
  public static WalWriter begin(
      AppendFile file, WalBuffer buffer, WalCompression compression, SyncLevel syncLevel)
      throws IOException {
    WalWriter writer = new WalWriter(file, buffer, compression, syncLevel);
    WalFormat.writeHeader(buffer, writer.salt, compression);
    writer.drain();
    return writer;
  }

  public String path() {
    return file.path();
  }

  /** Returns the length of all that was written. */
  public long position() {
    return file.position() + buffer.size();
  }

  /** Returns how many machines hold the bytes of the last flush or sync. */
  public int copies() {
    return file.copies();
  }

  /** Tells whether nothing has been appended. */
  public boolean isEmpty() {
    return regions.isEmpty();
  }

  /** Returns the highest sequence number that was appended for each region. */
  public Map<String, Long> highestSequences() {
    Map<String, Long> highest = new HashMap<>();
    regions.forEach((region, progress) -> highest.put(region, progress.highest));
    return highest;
  }

  /** Appends one entry. */
  public void append(WalEntry entry) throws IOException {
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
  public void handOver() throws IOException {
    drain();
  }

  /** Hands everything to the operating system. */
  public void flush() throws IOException {
    drain();
    file.flush();
    flushedOffset = file.position();
  }

  /** Brings everything to the device. */
  public void sync() throws IOException {
    drain();
    file.sync();
    durableOffset = file.position();
    flushedOffset = durableOffset;
  }

  /** Writes the trailer. Use it only for a file that is not read before it is synced as a whole. */
  public void end() throws IOException {
    WalFormat.writeTrailer(buffer, salt);
    drain();
  }

  /**
   * Syncs, writes the trailer, and closes. The trailer states that all before it was synced, and
   * needs no sync of its own.
   */
  public void finish() throws IOException {
    sync();
    WalFormat.writeTrailer(buffer, salt);
    drain();
    file.close();
  }

  /** Closes without trailer, after an error or where the file is not wanted. */
  public void abandon() throws IOException {
    buffer.clear();
    file.close();
  }

  private void drain() throws IOException {
    if (buffer.size() > 0) {
      file.write(buffer.bytes(), 0, buffer.size());
      buffer.clear();
    }
  }

  @CompiledApart("writes an entry of the log")
  private void serialize(WalEntry entry, RegionProgress region) throws IOException {
    if (compressor.isPresent()) {
      Compressor compressed = compressor.get();
      compressed.take(entry, region);
      WalBuffer names = compressed.names;
      int cellsLength = compressed.cells.size();
      int start =
          putKey(
              entry, names.bytes(), names.size(), compressed.attributes, cellsLength, cellsLength);
      buffer.putBytes(compressed.cells.bytes(), 0, cellsLength);
      putChecksums(start, cellsLength);
      return;
    }
    CellBuffer cells = entry.cells();
    int cellsLength = cells.blockSize(); // a buffer of cells has the log's form
    if (cellsLength >= LONG_CELLS_SIZE) {
      // They go to the file from where they lie: the buffer would only be one copy more.
      int start =
          putKey(entry, region.names, region.names.length, entry.attributes(), cellsLength, 0);
      putChecksums(start, buffer.size(), WalFormat.cellsChecksum(crc, cells, salt));
      drain();
      for (int piece = 0; piece < cells.pieces(); piece++) {
        file.write(cells.piece(piece), 0, cells.pieceSize(piece));
      }
      return;
    }
    int start =
        putKey(
            entry, region.names, region.names.length, entry.attributes(), cellsLength, cellsLength);
    for (int piece = 0; piece < cells.pieces(); piece++) {
      buffer.putBytes(cells.piece(piece), 0, cells.pieceSize(piece));
    }
    putChecksums(start, cellsLength);
  }

  private static int clusterIdsSize(List<UUID> ids) {
    int size = 0;
    for (int i = 0; i < ids.size(); i++) {
      size += 2 + clusterIdSize(ids.get(i)); // a tag, and a length of one byte
    }
    return size;
  }

  private static int clusterIdSize(UUID id) {
    return 2
        + WalBuffer.varintSize(id.getLeastSignificantBits())
        + WalBuffer.varintSize(id.getMostSignificantBits());
  }

  private void putClusterId(UUID id) {
    buffer.putVarint(WalFormat.tag(WalFormat.KEY_CLUSTER_IDS, WalFormat.WIRE_BYTES));
    buffer.putVarint(clusterIdSize(id));
    putNumber(WalFormat.UUID_LEAST, id.getLeastSignificantBits());
    putNumber(WalFormat.UUID_MOST, id.getMostSignificantBits());
  }

  private static int attributesSize(WalAttributes attributes) {
    int size = 0;
    for (WalAttributes.Attribute one : attributes.all()) {
      int length = attributeSize(one);
      size += 1 + WalBuffer.varintSize(length) + length;
    }
    return size;
  }

  private static int attributeSize(WalAttributes.Attribute one) {
    return 2
        + WalBuffer.varintSize(one.name().length)
        + one.name().length
        + WalBuffer.varintSize(one.value().length)
        + one.value().length;
  }

  private void putAttribute(WalAttributes.Attribute one) {
    buffer.putVarint(WalFormat.tag(WalFormat.KEY_ATTRIBUTES, WalFormat.WIRE_BYTES));
    buffer.putVarint(attributeSize(one));
    putName(buffer, WalFormat.ATTRIBUTE_NAME, one.name(), one.name().length);
    putName(buffer, WalFormat.ATTRIBUTE_VALUE, one.value(), one.value().length);
  }

  /**
   * Appends a key whose checksums are still 0, makes room behind it, returns its begin.
   *
   * @param attributes those of the entry in the form of the file
   */
  @CompiledApart("writes the key of an entry of the log")
  private int putKey(
      WalEntry entry,
      byte[] names,
      int namesLength,
      WalAttributes attributes,
      int cellsLength,
      int room) {
    int count = entry.cells().size();
    int keyLength =
        namesLength
            + 1
            + WalBuffer.varintSize(entry.sequence())
            + 1
            + WalBuffer.varintSize(entry.writeTimeMillis())
            + 1
            + WalBuffer.varintSize(count)
            + nonceSize(entry.nonce())
            + clusterIdsSize(entry.clusterIds())
            + (attributes.isEmpty() ? 0 : attributesSize(attributes))
            + 2
            + WalBuffer.varintSize(cellsLength)
            + 2
            + WalBuffer.varintSize(durableOffset)
            + (syncLevel == SyncLevel.FLUSHED ? 2 + WalBuffer.varintSize(flushedOffset) : 0)
            + 2 * WalFormat.CHECKSUM_FIELD_SIZE;
    buffer.reserve(Math.addExact(keyLength + 10, room));
    int start = buffer.size();
    buffer.putVarint(keyLength);
    buffer.putBytes(names, 0, namesLength);
    putNumber(WalFormat.KEY_SEQUENCE, entry.sequence());
    putNumber(WalFormat.KEY_WRITE_TIME, entry.writeTimeMillis());
    putNumber(WalFormat.KEY_CELL_COUNT, count);
    if (entry.nonce().isPresent()) {
      putNumber(WalFormat.KEY_NONCE_GROUP, entry.nonce().group());
      putNumber(WalFormat.KEY_NONCE, entry.nonce().number());
    }
    for (int i = 0; i < entry.clusterIds().size(); i++) {
      putClusterId(entry.clusterIds().get(i));
    }
    if (!attributes.isEmpty()) {
      attributes.all().forEach(this::putAttribute);
    }
    putNumber(WalFormat.KEY_CELLS_LENGTH, cellsLength);
    putNumber(WalFormat.KEY_DURABLE_OFFSET, durableOffset);
    if (syncLevel == SyncLevel.FLUSHED) {
      putNumber(WalFormat.KEY_FLUSHED_OFFSET, flushedOffset);
    }
    buffer.putVarint(WalFormat.tag(WalFormat.KEY_CELLS_CHECKSUM, WalFormat.WIRE_FIXED32));
    buffer.putFixed32(0);
    buffer.putVarint(WalFormat.tag(WalFormat.KEY_CHECKSUM, WalFormat.WIRE_FIXED32));
    buffer.putFixed32(0);
    return start;
  }

  /** Fills in the checksums of the entry that begins at {@code start} and ends the buffer. */
  private void putChecksums(int start, int cellsLength) {
    int cellsAt = buffer.size() - cellsLength;
    putChecksums(
        start, cellsAt, WalFormat.cellsChecksum(crc, buffer.bytes(), cellsAt, cellsLength, salt));
  }

  /** Fills in the checksums of the key from {@code start} to {@code end} and of its cells. */
  private void putChecksums(int start, int end, int cellsChecksum) {
    int keyChecksumAt = end - 4;
    int cellsChecksumAt = keyChecksumAt - WalFormat.CHECKSUM_FIELD_SIZE;
    buffer.setFixed32(cellsChecksumAt, cellsChecksum);
    buffer.setFixed32(
        keyChecksumAt,
        WalFormat.keyChecksum(crc, buffer.bytes(), start, keyChecksumAt - start, salt));
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

  private static void putName(WalBuffer target, int field, byte[] name, int length) {
    target.putVarint(WalFormat.tag(field, WalFormat.WIRE_BYTES));
    target.putVarint(length);
    target.putBytes(name, 0, length);
  }

  /** The state of the file for one region: its names, as they begin a key, and its newest entry. */
  private static final class RegionProgress {
    final byte[] region;
    final byte[] table;
    final byte[] names;
    long highest = Long.MIN_VALUE;

    RegionProgress(String region, TableName table) {
      this.region = Bytes.utf8(region);
      this.table = Bytes.utf8(table.toString());
      WalBuffer prefix = new WalBuffer();
      putName(prefix, WalFormat.KEY_REGION, this.region, this.region.length);
      putName(prefix, WalFormat.KEY_TABLE, this.table, this.table.length);
      this.names = Arrays.copyOf(prefix.bytes(), prefix.size());
    }
  }

  /** Names and cells of one entry in their compressed form. */
  private static final class Compressor {
    final WalBuffer names = new WalBuffer();
    final WalBuffer cells = new WalBuffer();

    /** The entry's attributes with compressed values. */
    WalAttributes attributes = WalAttributes.NONE;

    private final WalBuffer name = new WalBuffer();
    private final WalDictionaries dictionaries = new WalDictionaries();
    private final CellEncoder encoder;

    Compressor(WalCompression compression) {
      this.encoder = new CellEncoder(compression, dictionaries);
    }

    void take(WalEntry entry, RegionProgress region) {
      names.clear();
      name(WalFormat.KEY_REGION, dictionaries.regions, region.region);
      name(WalFormat.KEY_TABLE, dictionaries.tables, region.table);
      attributes = compressed(entry.attributes());
      cells.clear();
      for (int i = 0; i < entry.cells().size(); i++) {
        encoder.encode(entry.cells(), i, cells);
      }
    }

    private WalAttributes compressed(WalAttributes plain) {
      if (plain.isEmpty()) {
        return WalAttributes.NONE;
      }
      List<WalAttributes.Attribute> all = new ArrayList<>();
      for (WalAttributes.Attribute one : plain.all()) {
        name.clear();
        WalDictionaries.putValue(dictionaries.tables, one.value(), name);
        all.add(new WalAttributes.Attribute(one.name(), Arrays.copyOf(name.bytes(), name.size())));
      }
      return new WalAttributes(all);
    }

    private void name(int field, LruDictionary dictionary, byte[] bytes) {
      name.clear();
      WalDictionaries.put(dictionary, bytes, 0, bytes.length, name);
      putName(names, field, name.bytes(), name.size());
    }
  }
}
