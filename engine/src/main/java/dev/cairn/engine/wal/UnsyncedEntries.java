package dev.cairn.engine.wal;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.wal.file.ClusterIds;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.WalAttributes;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies of the entries that were handed to the operating system and not synced yet, in order of
 * arrival. One thread.
 *
 * <p>They may be many, and outlive all other objects of a write. Kept as objects, a megabyte in
 * each thousand writes, they would be most of the bytes that garbage collections copy during a
 * load. So their contents are in large reused arrays, which collectors do not move: while 200,000
 * rows of 1 KB are loaded, collections copy 18 MB instead of 178. Entries are created from the
 * arrays only if the file fails.
 *
 * <pre>
 *   int region | long sequence | long writeTime | long nonceGroup | long nonce | int length of each
 *   | cluster ids | attributes | cells
 * </pre>
 */
final class UnsyncedEntries {
  /** With its header an array fills regions of G1, of 1 or 2 MB in heaps up to 4 GB. */
  private static final int CHUNK_BYTES = (2 << 20) - 16;

  /**
   * The number of chunks that are kept for the next entries: as many as usually gather between two
   * syncs.
   */
  private static final int CHUNKS_KEPT_MAX = 16;

  private static final int HEADER_BYTES = 4 * Integer.BYTES + 4 * Long.BYTES;

  /** Takes an entry. */
  interface Taker {
    void take(WalEntry entry) throws IOException;
  }

  private record Region(String name, TableName table) {}

  private final List<byte[]> chunks = new ArrayList<>();
  private final List<Region> regions = new ArrayList<>();
  private final Map<String, Integer> regionNumbers = new HashMap<>();
  private final byte[] header = new byte[HEADER_BYTES];
  private long size;
  private long heapBytes;

  /** Tells whether there are none. */
  boolean isEmpty() {
    return size == 0;
  }

  /** Returns the memory that the entries took when they were added, bytes. */
  long heapBytes() {
    return heapBytes;
  }

  /** Adds a copy of an entry. */
  void add(WalEntry entry) {
    CellBuffer cells = entry.cells();
    Bytes.putInt(header, 0, numberOf(entry));
    Bytes.putLong(header, 4, entry.sequence());
    Bytes.putLong(header, 12, entry.writeTimeMillis());
    Bytes.putLong(header, 20, entry.nonce().group());
    Bytes.putLong(header, 28, entry.nonce().number());
    Bytes.putInt(header, 36, cells.blockSize());
    byte[] ids = ClusterIds.toBytes(entry.clusterIds());
    Bytes.putInt(header, 40, ids.length);
    byte[] attributes = entry.attributes().toBytes();
    Bytes.putInt(header, 44, attributes.length);
    put(header, HEADER_BYTES);
    put(ids, ids.length);
    put(attributes, attributes.length);
    for (int piece = 0; piece < cells.pieces(); piece++) {
      put(cells.piece(piece), cells.pieceSize(piece));
    }
    heapBytes += entry.heapBytes();
  }

  /** Hands out entries equal to those that were added, one after the other. */
  void forEach(Taker taker) throws IOException {
    byte[] head = new byte[HEADER_BYTES];
    for (long at = 0; at < size; ) {
      get(at, head);
      byte[] cells = new byte[Bytes.getInt(head, 36)];
      byte[] ids = new byte[Bytes.getInt(head, 40)];
      get(at + HEADER_BYTES, ids);
      byte[] attributes = new byte[Bytes.getInt(head, 44)];
      get(at + HEADER_BYTES + ids.length, attributes);
      get(at + HEADER_BYTES + ids.length + attributes.length, cells);
      at += HEADER_BYTES + ids.length + attributes.length + cells.length;
      Region region = regions.get(Bytes.getInt(head, 0));
      taker.take(
          new WalEntry(
              region.name,
              region.table,
              Bytes.getLong(head, 4),
              Bytes.getLong(head, 12),
              CellBuffer.ofBlock(cells),
              new Nonce(Bytes.getLong(head, 20), Bytes.getLong(head, 28)),
              ClusterIds.fromBytes(ids),
              WalAttributes.fromBytes(attributes)));
    }
  }

  /** Forgets all entries. */
  void clear() {
    size = 0;
    heapBytes = 0;
    regions.clear();
    regionNumbers.clear();
    if (chunks.size() > CHUNKS_KEPT_MAX) {
      chunks.subList(CHUNKS_KEPT_MAX, chunks.size()).clear();
    }
  }

  private int numberOf(WalEntry entry) {
    Integer known = regionNumbers.get(entry.region());
    if (known != null) {
      return known;
    }
    regions.add(new Region(entry.region(), entry.table()));
    regionNumbers.put(entry.region(), regions.size() - 1);
    return regions.size() - 1;
  }

  private void put(byte[] source, int length) {
    for (int done = 0; done < length; ) {
      int chunk = (int) (size / CHUNK_BYTES);
      int at = (int) (size % CHUNK_BYTES);
      if (chunk == chunks.size()) {
        chunks.add(new byte[CHUNK_BYTES]);
      }
      int part = Math.min(length - done, CHUNK_BYTES - at);
      System.arraycopy(source, done, chunks.get(chunk), at, part);
      done += part;
      size += part;
    }
  }

  private void get(long from, byte[] target) {
    for (int done = 0; done < target.length; ) {
      int at = (int) ((from + done) % CHUNK_BYTES);
      int part = Math.min(target.length - done, CHUNK_BYTES - at);
      System.arraycopy(chunks.get((int) ((from + done) / CHUNK_BYTES)), at, target, done, part);
      done += part;
    }
  }
}
