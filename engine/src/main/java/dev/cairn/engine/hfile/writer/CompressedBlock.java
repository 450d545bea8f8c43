package dev.cairn.engine.hfile.writer;

import dev.cairn.engine.hfile.codec.Codec;
import dev.cairn.engine.hfile.encoding.BlockEncoding;
import dev.cairn.engine.hfile.format.BlockType;
import dev.cairn.engine.hfile.format.ByteSink;
import dev.cairn.engine.hfile.format.HFileFormat;
import java.io.IOException;
import java.util.Optional;

/**
 * A data block on its way into a file: its cells, then encoded, then compressed. It belongs to one
 * thread at a time, and to the writer's but between the beginning and the end of {@link #pack}. Its
 * memory serves one block after another.
 */
final class CompressedBlock {
  private final HFileOptions options;
  private final Optional<BlockEncoding> encoding;
  private final Codec codec;
  private final ByteSink cells;
  private final ByteSink encoded = new ByteSink(1024);
  private final ByteSink packed = new ByteSink(1024);

  CompressedBlock(HFileOptions options) {
    this.options = options;
    this.encoding = options.encoding().newEncoding(false);
    this.codec = options.newCodec();
    this.cells = new ByteSink(Math.min(options.blockSize(), 64 * 1024) + 1024);
  }

  /** Returns the buffer of the cells, one after another in the plain form. */
  ByteSink cells() {
    return cells;
  }

  BlockType type() {
    return encoding.isPresent() ? BlockType.ENCODED_DATA : BlockType.DATA;
  }

  /** Encodes the cells if the file has an encoding, and returns the block's body. */
  ByteSink encode() {
    if (encoding.isEmpty()) {
      return cells;
    }
    encoded.setSize(0);
    encoded.putShort(options.encoding().id());
    encoding.get().encode(cells.bytes(), 0, cells.size(), options.includesTags(), true, encoded);
    return encoded;
  }

  /** Encodes and compresses; {@link #packed} then has the block's bytes after a free header. */
  void pack() throws IOException {
    ByteSink body = encode();
    packed.setSize(HFileFormat.HEADER_SIZE);
    codec.compress(body.bytes(), 0, body.size(), packed);
  }

  ByteSink packed() {
    return packed;
  }

  /** Returns the bytes of memory that the block takes, full or empty. */
  long memory() {
    return (long) cells.bytes().length + encoded.bytes().length + packed.bytes().length;
  }

  /** Returns the size of the body that was packed, before compression. */
  int bodySize() {
    return encoding.isPresent() ? encoded.size() : cells.size();
  }
}
