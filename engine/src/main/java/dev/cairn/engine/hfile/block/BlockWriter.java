package dev.cairn.engine.hfile.block;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.codec.Codec;
import dev.cairn.engine.hfile.format.BlockType;
import dev.cairn.engine.hfile.format.ByteSink;
import dev.cairn.engine.hfile.format.ChecksumType;
import dev.cairn.engine.hfile.format.HFileFormat;
import dev.cairn.engine.hfile.format.HFileSettings;
import dev.cairn.engine.storage.AppendFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.Checksum;

/**
 * Appends blocks to a file: header, compressed body, checksums. Blocks gather in memory and go out
 * some at a time, because file systems take large pieces faster. One thread at a time.
 */
public final class BlockWriter {
  /** The number of bytes that are gathered before a write. */
  private static final int PIECE_SIZE = 256 * 1024;

  /**
   * The most buffer memory that is kept after a block. Only blocks of very large cells need more.
   */
  private static final int PENDING_KEPT_BYTES = 2 << 20;

  private final AppendFile file;
  private final Codec codec;
  private final ChecksumType checksumType;
  private final int bytesPerChecksum;
  private final ByteSink pending = new ByteSink(64 * 1024);
  private final long[] previousOffsets = new long[BlockType.values().length];
  private long uncompressedBytes;

  /**
   * Creates a writer of blocks.
   *
   * @param codec compresses the bodies
   * @param settings give the type and the spacing of checksums
   */
  public BlockWriter(AppendFile file, Codec codec, HFileSettings settings) {
    this.file = file;
    this.codec = codec;
    this.checksumType = settings.checksumType();
    this.bytesPerChecksum = settings.bytesPerChecksum();
    Arrays.fill(previousOffsets, -1);
  }

  /** Returns the offset of the next block. */
  public long position() {
    return file.position() + pending.size();
  }

  /** Returns the size that all blocks so far had before compression, with their headers. */
  public long uncompressedBytes() {
    return uncompressedBytes;
  }

  /** Writes one block and returns how many bytes of the file it takes. */
  public int write(BlockType type, ByteSink body) throws IOException {
    return write(type, body.bytes(), 0, body.size());
  }

  /** Writes one block and returns how many bytes of the file it takes. */
  public int write(BlockType type, byte[] body, int from, int to) throws IOException {
    int start = pending.reserve(HFileFormat.HEADER_SIZE);
    codec.compress(body, from, to - from, pending);
    return finish(start, type, to - from);
  }

  /**
   * Writes a block that is compressed already, and returns how many bytes of the file it takes.
   *
   * @param compressed free space for a header, then the body
   * @param bodySize the body's size before compression, bytes
   */
  public int writeCompressed(BlockType type, ByteSink compressed, int bodySize) throws IOException {
    int start = pending.size();
    pending.put(compressed.bytes(), 0, compressed.size());
    return finish(start, type, bodySize);
  }

  private int finish(int start, BlockType type, int bodySize) throws IOException {
    long offset = file.position() + start;
    int dataSize = pending.size() - start;
    int checksums = Math.toIntExact(ChecksumType.size(dataSize, bytesPerChecksum));
    int size = dataSize + checksums;
    putHeader(start, type, size, dataSize, bodySize);
    putChecksums(start, dataSize);
    previousOffsets[type.ordinal()] = offset;
    uncompressedBytes += HFileFormat.HEADER_SIZE + bodySize;
    if (pending.size() >= PIECE_SIZE) {
      drain();
    }
    return size;
  }

  /** Hands all blocks to the file. */
  public void drain() throws IOException {
    file.write(pending.bytes(), 0, pending.size());
    pending.clear(PENDING_KEPT_BYTES);
  }

  private void putHeader(int start, BlockType type, int size, int dataSize, int uncompressedSize) {
    byte[] bytes = pending.bytes();
    type.writeTo(bytes, start);
    Bytes.putInt(bytes, start + HFileFormat.ON_DISK_SIZE_AT, size - HFileFormat.HEADER_SIZE);
    Bytes.putInt(bytes, start + HFileFormat.UNCOMPRESSED_SIZE_AT, uncompressedSize);
    Bytes.putLong(bytes, start + HFileFormat.PREVIOUS_OFFSET_AT, previousOffsets[type.ordinal()]);
    bytes[start + HFileFormat.CHECKSUM_TYPE_AT] = (byte) checksumType.ordinal();
    Bytes.putInt(bytes, start + HFileFormat.BYTES_PER_CHECKSUM_AT, bytesPerChecksum);
    Bytes.putInt(bytes, start + HFileFormat.ON_DISK_DATA_SIZE_AT, dataSize);
  }

  private void putChecksums(int start, int dataSize) {
    Checksum checksum = checksumType.start();
    int end = start + dataSize;
    for (int at = start; at < end; at += bytesPerChecksum) {
      checksum.reset();
      checksum.update(pending.bytes(), at, Math.min(bytesPerChecksum, end - at));
      pending.putInt((int) checksum.getValue());
    }
  }
}
