package dev.cairn.engine.hfile;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.storage.AppendFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.Checksum;

/** Appends blocks to a file: header, compressed body, checksums. One thread at a time. */
final class BlockWriter {
  private final AppendFile file;
  private final Codec codec;
  private final ChecksumType checksumType;
  private final int bytesPerChecksum;
  private final ByteSink block = new ByteSink(64 * 1024);
  private final long[] previousOffsets = new long[BlockType.values().length];
  private long uncompressedBytes;

  BlockWriter(AppendFile file, HFileOptions options) {
    this.file = file;
    this.codec = options.compression().newCodec(options.settings().zstdFraming());
    this.checksumType = options.settings().checksumType();
    this.bytesPerChecksum = options.settings().bytesPerChecksum();
    Arrays.fill(previousOffsets, -1);
  }

  /** Returns where the next block will begin. */
  long position() {
    return file.position();
  }

  /** Returns the size that all blocks so far had before compression, with their headers. */
  long uncompressedBytes() {
    return uncompressedBytes;
  }

  /** Writes one block and returns how many bytes of the file it takes. */
  int write(BlockType type, byte[] body, int from, int to) throws IOException {
    long offset = file.position();
    block.setSize(HFileFormat.HEADER_SIZE);
    codec.compress(body, from, to - from, block);
    int dataSize = block.size();
    int checksums = Math.toIntExact(ChecksumType.size(dataSize, bytesPerChecksum));
    int size = dataSize + checksums;
    putHeader(type, size, dataSize, to - from);
    putChecksums(dataSize);
    file.write(block.bytes(), 0, size);
    previousOffsets[type.ordinal()] = offset;
    uncompressedBytes += HFileFormat.HEADER_SIZE + to - from;
    return size;
  }

  int write(BlockType type, ByteSink body) throws IOException {
    return write(type, body.bytes(), 0, body.size());
  }

  private void putHeader(BlockType type, int size, int dataSize, int uncompressedSize) {
    byte[] bytes = block.bytes();
    type.writeTo(bytes, 0);
    Bytes.putInt(bytes, HFileFormat.ON_DISK_SIZE_AT, size - HFileFormat.HEADER_SIZE);
    Bytes.putInt(bytes, HFileFormat.UNCOMPRESSED_SIZE_AT, uncompressedSize);
    Bytes.putLong(bytes, HFileFormat.PREVIOUS_OFFSET_AT, previousOffsets[type.ordinal()]);
    bytes[HFileFormat.CHECKSUM_TYPE_AT] = (byte) checksumType.ordinal();
    Bytes.putInt(bytes, HFileFormat.BYTES_PER_CHECKSUM_AT, bytesPerChecksum);
    Bytes.putInt(bytes, HFileFormat.ON_DISK_DATA_SIZE_AT, dataSize);
  }

  private void putChecksums(int dataSize) {
    Checksum checksum = checksumType.start();
    for (int at = 0; at < dataSize; at += bytesPerChecksum) {
      checksum.reset();
      checksum.update(block.bytes(), at, Math.min(bytesPerChecksum, dataSize - at));
      block.putInt((int) checksum.getValue());
    }
  }
}
