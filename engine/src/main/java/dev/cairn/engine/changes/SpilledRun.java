package dev.cairn.engine.changes;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.wal.file.ClusterIds;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Entries in a {@link SpillFile}. Has a buffer only while its entries are taken: not before the
 * first and not after the last one. Not thread-safe.
 */
final class SpilledRun implements SortedRun {
  /** Number, time, length of the cluster ids, and length of the cells. */
  static final int HEADER_SIZE = 2 * Long.BYTES + 2 * Integer.BYTES;

  private static final int BUFFER_SIZE = 4 << 10;

  private final SpillFile file;
  private final String region;
  private final TableName table;
  private final long end;
  private long offset;
  private long sequence;
  private long writeTimeMillis;
  private byte[] buffer = {};
  private long bufferOffset;
  private int buffered;

  /**
   * Creates a run.
   *
   * @param offset where it begins in the file
   * @param end where it ends, after {@code offset}
   * @param first its first entry
   */
  SpilledRun(SpillFile file, long offset, long end, WalEntry first) {
    this.file = file;
    this.region = first.region();
    this.table = first.table();
    this.offset = offset;
    this.end = end;
    this.sequence = first.sequence();
    this.writeTimeMillis = first.writeTimeMillis();
  }

  @Override
  public boolean hasNext() {
    return offset < end;
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public long writeTimeMillis() {
    return writeTimeMillis;
  }

  @Override
  public WalEntry take() throws IOException {
    ByteBuffer lengths = header();
    byte[] ids = new byte[lengths.getInt(2 * Long.BYTES)];
    byte[] block = new byte[lengths.getInt(2 * Long.BYTES + Integer.BYTES)];
    read(offset + HEADER_SIZE, ids);
    read(offset + HEADER_SIZE + ids.length, block);
    WalEntry taken =
        new WalEntry(
            region,
            table,
            sequence,
            writeTimeMillis,
            CellBuffer.ofBlock(block),
            Nonce.NONE,
            ClusterIds.fromBytes(ids));
    offset += HEADER_SIZE + ids.length + block.length;
    if (hasNext()) {
      ByteBuffer header = header();
      sequence = header.getLong(0);
      writeTimeMillis = header.getLong(Long.BYTES);
    } else {
      buffer = new byte[0];
      buffered = 0;
      file.release();
    }
    return taken;
  }

  private ByteBuffer header() throws IOException {
    byte[] header = new byte[HEADER_SIZE];
    read(offset, header);
    return ByteBuffer.wrap(header);
  }

  private void read(long from, byte[] target) throws IOException {
    if (target.length > BUFFER_SIZE) {
      file.readFully(from, target, target.length);
      return;
    }
    if (from < bufferOffset || from + target.length > bufferOffset + buffered) {
      if (buffer.length == 0) {
        buffer = new byte[(int) Math.min(BUFFER_SIZE, end - from)];
      }
      bufferOffset = from;
      buffered = (int) Math.min(buffer.length, end - from);
      file.readFully(from, buffer, buffered);
    }
    System.arraycopy(buffer, (int) (from - bufferOffset), target, 0, target.length);
  }
}
