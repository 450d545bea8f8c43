package dev.cairn.engine.hfile.bloom;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.block.BlockWriter;
import dev.cairn.engine.hfile.format.BlockType;
import dev.cairn.engine.hfile.format.ByteSink;
import dev.cairn.engine.hfile.format.HFileSettings;
import dev.cairn.engine.hfile.format.VarLong;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Builds a Bloom filter over keys that come in order: chunks of bits that are written among the
 * data blocks as they fill up, and an index of them for the end.
 *
 * <p>A chunk keeps the two hashes of each key until it is complete, and so gets exactly the bits
 * that its keys need for the rate of false answers that is asked for.
 *
 * <pre>
 *   meta: int version = 3 | long bytes of all chunks | int hashCount | int hashType | long keys |
 *         long keys that fit | int chunks | {@link VarLong} length, comparator's class name |
 *         entries of a root index, whose keys are the chunks' first ones
 * </pre>
 */
public final class BloomWriter {
  private final Target target;
  private final byte[] comparatorName;
  private final double bitsPerKey;
  private final int hashCount;
  private final int keysPerChunk;
  private final ByteSink lastKey = new ByteSink(64);
  private final ByteSink index = new ByteSink(256);
  private int[] hashes = new int[1024];
  private byte[] firstKey = Bytes.EMPTY;
  private int keysInChunk;
  private long keys;
  private long bytes;
  private int chunks;

  /**
   * Creates a filter.
   *
   * @param comparatorName the class name of the order of the keys, if they are cells' keys; else
   *     empty
   * @param settings how large a full chunk is, and how often the filter may be wrong
   */
  public BloomWriter(BlockWriter blocks, String comparatorName, HFileSettings settings) {
    this(
        bits ->
            new Place(blocks.position(), blocks.write(BlockType.BLOOM_CHUNK, bits, 0, bits.length)),
        comparatorName,
        settings);
  }

  /**
   * As {@link #BloomWriter(BlockWriter, String, HFileSettings)}, with chunks in blocks of any kind.
   */
  public BloomWriter(Target target, String comparatorName, HFileSettings settings) {
    this.target = target;
    this.comparatorName = Bytes.utf8(comparatorName);
    this.bitsPerKey = -Math.log(settings.bloomErrorRate()) / (Math.log(2) * Math.log(2));
    this.hashCount =
        Math.max(
            1, Math.min(BloomFilter.MAX_HASH_COUNT, (int) Math.ceil(bitsPerKey * Math.log(2))));
    this.keysPerChunk = (int) Math.max(1, settings.bloomChunkSize() * 8L / bitsPerKey);
  }

  /** Adds a key, unless it is the one that was added last. */
  public void add(byte[] source, int offset, int length) {
    if (keys > 0
        && Arrays.equals(lastKey.bytes(), 0, lastKey.size(), source, offset, offset + length)) {
      return;
    }
    lastKey.setSize(0);
    lastKey.put(source, offset, length);
    if (keysInChunk == 0) {
      firstKey = Arrays.copyOfRange(source, offset, offset + length);
    }
    if (keysInChunk * 2 == hashes.length) {
      hashes = Arrays.copyOf(hashes, hashes.length * 2);
    }
    int hash1 = BloomHash.hash(source, offset, length, 0);
    hashes[keysInChunk * 2] = hash1;
    hashes[keysInChunk * 2 + 1] = BloomHash.hash(source, offset, length, hash1);
    keysInChunk++;
    keys++;
  }

  /** Tells whether no key has been added. */
  public boolean isEmpty() {
    return keys == 0;
  }

  /** Returns a copy of the key that was added last. */
  public byte[] lastKey() {
    return Arrays.copyOf(lastKey.bytes(), lastKey.size());
  }

  /** Ends the chunk if it is full and returns it; to be called at the end of a data block. */
  public Optional<Chunk> takeFullChunk() {
    return keysInChunk >= keysPerChunk ? Optional.of(takeChunk()) : Optional.empty();
  }

  /** Writes the chunk if it holds anything. */
  public void writeLastChunk() throws IOException {
    if (keysInChunk > 0) {
      write(takeChunk());
    }
  }

  /** Writes a chunk; to be called between data blocks, and in the order of the chunks. */
  public void write(Chunk chunk) throws IOException {
    int size = chunk.bits.length;
    Place place = target.write(chunk.bits);
    index.putLong(place.offset());
    index.putInt(place.size());
    index.putVarArray(chunk.firstKey);
    bytes += size;
    chunks++;
  }

  /** Returns the body of the filter's meta block. */
  public ByteSink meta() {
    ByteSink meta = new ByteSink(128 + index.size());
    meta.putInt(BloomFilter.VERSION);
    meta.putLong(bytes);
    meta.putInt(hashCount);
    meta.putInt(BloomHash.MURMUR);
    meta.putLong(keys);
    meta.putLong(keys);
    meta.putInt(chunks);
    meta.putVarArray(comparatorName);
    meta.put(index.bytes(), 0, index.size());
    return meta;
  }

  private Chunk takeChunk() {
    int size = (int) Math.ceil(keysInChunk * bitsPerKey / 8);
    byte[] bits = new byte[size];
    for (int i = 0; i < keysInChunk; i++) {
      int hash = hashes[2 * i];
      for (int j = 0; j < hashCount; j++) {
        int bit = Math.abs(hash % (size * 8));
        bits[bit >> 3] |= (byte) (1 << (bit & 7));
        hash += hashes[2 * i + 1];
      }
    }
    keysInChunk = 0;
    return new Chunk(bits, firstKey);
  }

  /** Writes chunks. */
  @FunctionalInterface
  public interface Target {
    /** Writes the bits of a chunk as a block. */
    Place write(byte[] bits) throws IOException;
  }

  /**
   * Where a chunk is.
   *
   * @param offset its offset in the file
   * @param size its size there, with its header
   */
  public record Place(long offset, int size) {}

  /** A part of the filter that is complete. */
  public record Chunk(byte[] bits, byte[] firstKey) {}
}
