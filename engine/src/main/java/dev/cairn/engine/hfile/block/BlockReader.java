package dev.cairn.engine.hfile.block;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.codec.Codec;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.format.BlockType;
import dev.cairn.engine.hfile.format.ChecksumType;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.hfile.format.HFileFormat;
import dev.cairn.engine.hfile.format.Trailer;
import dev.cairn.engine.hfile.format.Trailer.BlockLayout;
import dev.cairn.engine.storage.ReadableFile;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.Checksum;

/**
 * Reads blocks from a file, checks every length in their headers and their checksums, and
 * decompresses them. Thread-safe.
 *
 * <p>Nothing is allocated for a length before its header was checked against itself and against the
 * file.
 */
public final class BlockReader {

  /**
   * A block as it lies in the file, verified and decompressed.
   *
   * @param type the type of the block
   * @param fileOffset where it begins in the file
   * @param onDiskSize how many bytes of the file it takes, with header and checksums
   * @param bytes an array that holds the body
   * @param from where the body begins in it
   * @param to where the body ends in it
   */
  public record RawBlock(
      BlockType type, long fileOffset, int onDiskSize, byte[] bytes, int from, int to) {}

  private final ReadableFile file;
  private final long end;
  private final Compression compression;
  private final BlockLayout layout;
  private final long maxUncompressedSize;

  /** A codec that is kept for the next block: it is expensive to create and serves one thread. */
  private final AtomicReference<Codec> idleCodec = new AtomicReference<>();

  /**
   * Creates a reader.
   *
   * @param trailer gives the end of the blocks, their layout, and their total size
   */
  public BlockReader(ReadableFile file, Trailer trailer, Compression compression) {
    this.file = file;
    this.end = trailer.offset();
    this.compression = compression;
    this.layout = trailer.blocks();
    long total = Math.max(0, trailer.message().getTotalUncompressedBytes());
    this.maxUncompressedSize =
        Math.min(
            HFileFormat.MAX_BLOCK_SIZE,
            HFileFormat.HARMLESS_SIZE + 2 * Math.min(total, HFileFormat.MAX_BLOCK_SIZE));
  }

  /** Returns where the last block ends at the latest. */
  public long end() {
    return end;
  }

  /** Returns the size of a block's header, bytes. */
  public int headerSize() {
    return layout.headerSize();
  }

  /** Reads the block that an index places at {@code offset} with a size of {@code size} bytes. */
  public RawBlock read(long offset, int size, BlockType... expected) throws IOException {
    return read(offset, size, BlockMemory.NEW, expected);
  }

  /** As {@link #read(long, int, BlockType...)}, into arrays that {@code memory} gives. */
  public RawBlock read(long offset, int size, BlockMemory memory, BlockType... expected)
      throws IOException {
    if (offset < 0 || size < layout.headerSize() || size > end - offset) {
      throw corrupt(
          Math.max(0, offset),
          "a block before byte " + end,
          "a reference to " + size + " bytes at " + offset);
    }
    byte[] bytes = memory.stored(size);
    file.readFully(offset, bytes, 0, size);
    RawBlock block = parse(bytes, 0, offset, expected);
    if (block.onDiskSize() != size) {
      throw corrupt(offset, "a block of " + size + " bytes", "one of " + block.onDiskSize());
    }
    return block;
  }

  /** Reads up to {@code most} bytes of blocks at {@code offset}, which is before {@link #end}. */
  public byte[] window(long offset, int most) throws IOException {
    byte[] bytes = new byte[(int) Math.min(most, end - offset)];
    file.readFully(offset, bytes, 0, bytes.length);
    return bytes;
  }

  /** Reads the block that begins at index {@code at} of bytes that lie at {@code offset}. */
  public RawBlock parse(byte[] bytes, int at, long offset, BlockType... expected)
      throws IOException {
    BlockType type = type(bytes, at, offset, expected);
    int size = size(bytes, at, offset, expected);
    if (size > bytes.length - at) {
      throw corrupt(
          offset, "a block of at most " + (bytes.length - at) + " bytes", "one of " + size);
    }
    int dataSize = layout.checksums() ? verify(bytes, at, offset) : size;
    int from = at + layout.headerSize();
    int to = at + dataSize;
    int uncompressedSize = Bytes.getInt(bytes, at + HFileFormat.UNCOMPRESSED_SIZE_AT);
    if (uncompressedSize < 0 || uncompressedSize > maxUncompressedSize) {
      throw corrupt(
          offset,
          "at most " + maxUncompressedSize + " bytes after decompression",
          String.valueOf(uncompressedSize));
    }
    if (compression == Compression.NONE) {
      if (uncompressedSize != to - from) {
        throw corrupt(offset, uncompressedSize + " bytes in the block", (to - from) + " bytes");
      }
      return new RawBlock(type, offset, size, bytes, from, to);
    }
    byte[] body = decompress(bytes, from, to, uncompressedSize, offset);
    return new RawBlock(type, offset, size, body, 0, body.length);
  }

  /**
   * Returns the size in the file of the block whose header begins at index {@code at} of the bytes
   * at {@code offset}. Checks that the block lies within the file, and that the fields of the
   * header fit together.
   */
  public int size(byte[] bytes, int at, long offset, BlockType... expected) throws IOException {
    type(bytes, at, offset, expected);
    int body = Bytes.getInt(bytes, at + HFileFormat.ON_DISK_SIZE_AT);
    if (body < 0
        || body > end - offset - layout.headerSize()
        || body > HFileFormat.MAX_BLOCK_SIZE) {
      throw corrupt(
          offset,
          "a block before byte " + end,
          "one of " + (body + (long) layout.headerSize()) + " bytes");
    }
    int size = body + layout.headerSize();
    if (layout.checksums()) {
      checkSizes(bytes, at, size, offset);
    }
    return size;
  }

  /** Returns the exception for damage at {@code offset} of this file. */
  public CorruptFileException corrupt(long offset, String expected, String found) {
    return new CorruptFileException(file.path(), offset, expected, found);
  }

  /** Returns the exception for damage at {@code offset} of this file. */
  public CorruptFileException corrupt(long offset, String expected, Exception cause) {
    return new CorruptFileException(file.path(), offset, expected, cause);
  }

  private BlockType type(byte[] bytes, int at, long offset, BlockType... expected)
      throws IOException {
    if (bytes.length - at < layout.headerSize()) {
      throw corrupt(offset, "a block", (bytes.length - at) + " bytes");
    }
    BlockType type = BlockType.read(bytes, at);
    for (BlockType one : expected) {
      if (one == type) {
        return type;
      }
    }
    StringBuilder names = new StringBuilder("block type");
    for (BlockType one : expected) {
      names.append(' ').append(one.magic());
    }
    throw corrupt(offset, names.toString(), Bytes.toStringBinary(bytes, at, BlockType.MAGIC_SIZE));
  }

  private void checkSizes(byte[] bytes, int at, int size, long offset) throws IOException {
    int code = bytes[at + HFileFormat.CHECKSUM_TYPE_AT];
    int bytesPerChecksum = Bytes.getInt(bytes, at + HFileFormat.BYTES_PER_CHECKSUM_AT);
    int dataSize = Bytes.getInt(bytes, at + HFileFormat.ON_DISK_DATA_SIZE_AT);
    if (ChecksumType.of(code) == null || bytesPerChecksum <= 0) {
      throw corrupt(offset, "a checksum type", code + " every " + bytesPerChecksum + " bytes");
    }
    if (dataSize < layout.headerSize()
        || dataSize > size
        || dataSize + ChecksumType.size(dataSize, bytesPerChecksum) != size) {
      throw corrupt(offset, size + " bytes of data and checksums", dataSize + " bytes of data");
    }
  }

  /** Checks the checksums of a whole block and returns where they begin in it. */
  private int verify(byte[] bytes, int at, long offset) throws IOException {
    ChecksumType type = ChecksumType.of(bytes[at + HFileFormat.CHECKSUM_TYPE_AT]);
    int bytesPerChecksum = Bytes.getInt(bytes, at + HFileFormat.BYTES_PER_CHECKSUM_AT);
    int dataSize = Bytes.getInt(bytes, at + HFileFormat.ON_DISK_DATA_SIZE_AT);
    Checksum checksum = type.start();
    int stored = at + dataSize;
    for (int done = 0; done < dataSize; stored += ChecksumType.SIZE) {
      int length = Math.min(bytesPerChecksum, dataSize - done);
      checksum.reset();
      checksum.update(bytes, at + done, length);
      if ((int) checksum.getValue() != Bytes.getInt(bytes, stored)) {
        throw corrupt(
            offset,
            type + " checksum " + Integer.toHexString(Bytes.getInt(bytes, stored)),
            Integer.toHexString((int) checksum.getValue()));
      }
      done += length;
    }
    return dataSize;
  }

  private byte[] decompress(byte[] bytes, int from, int to, int size, long offset)
      throws IOException {
    Codec idle = idleCodec.getAndSet(null);
    Codec codec = idle == null ? compression.newCodec() : idle;
    byte[] body = new byte[size];
    try {
      codec.decompress(bytes, from, to - from, body);
    } catch (IOException | RuntimeException e) {
      throw corrupt(offset, size + " bytes of " + compression, e);
    }
    idleCodec.set(codec);
    return body;
  }
}
