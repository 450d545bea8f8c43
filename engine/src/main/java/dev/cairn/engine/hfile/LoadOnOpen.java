package dev.cairn.engine.hfile;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.storage.ReadableFile;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HFileProtos.FileTrailerProto;

/**
 * What is read when a file is opened and stays in memory: the part between {@code
 * loadOnOpenDataOffset} and the trailer, in this order: root index, index of meta blocks, file
 * info, and as far as there are any, the Bloom filters' meta blocks.
 */
record LoadOnOpen(
    BlockReader blocks,
    DataBlockReader dataBlockReader,
    int indexLevels,
    IndexBlock root,
    Optional<IndexBlock.MidKey> midKey,
    HFileInfo info,
    Optional<BloomFilter> generalBloom,
    Optional<BloomFilter> deleteFamilyBloom) {
  /** Reads trailer and section of a file. */
  static LoadOnOpen read(ReadableFile file, CellComparator comparator) throws IOException {
    FileTrailerProto trailer = trailer(file, comparator);
    long start = trailer.getLoadOnOpenDataOffset();
    long end = file.length() - HFileFormat.TRAILER_SIZE;
    if (start < 0 || start > end || end - start > HFileFormat.MAX_BLOCK_SIZE) {
      throw new CorruptFileException(
          file.path(), end, "a section before byte " + end, "an offset of " + start);
    }
    Compression compression = Compression.ofCode(trailer.getCompressionCodec());
    if (compression == null) {
      throw new UnsupportedFileException(
          file.path(), "its compression has the code " + trailer.getCompressionCodec());
    }
    byte[] bytes = new byte[(int) (end - start)];
    file.readFully(start, bytes, 0, bytes.length);
    BlockReader blocks = new BlockReader(file, end, compression);
    return new Parser(file.path(), blocks, bytes, start).parse(trailer, compression);
  }

  private static FileTrailerProto trailer(ReadableFile file, CellComparator comparator)
      throws IOException {
    long start = file.length() - HFileFormat.TRAILER_SIZE;
    if (start < 0) {
      throw new CorruptFileException(
          file.path(),
          0,
          "at least " + HFileFormat.TRAILER_SIZE + " bytes",
          file.length() + " bytes");
    }
    byte[] bytes = new byte[HFileFormat.TRAILER_SIZE];
    file.readFully(start, bytes, 0, bytes.length);
    FileTrailerProto trailer = Trailer.parse(bytes, file.path(), start);
    if (trailer.hasEncryptionKey() && !trailer.getEncryptionKey().isEmpty()) {
      throw new UnsupportedFileException(file.path(), "it is encrypted");
    }
    if (!Trailer.isComparator(trailer.getComparatorClassName(), comparator)) {
      throw new CorruptFileException(
          file.path(),
          start,
          "cells in the order " + Trailer.comparatorName(comparator),
          trailer.getComparatorClassName());
    }
    if (trailer.getNumDataIndexLevels() < 1
        || trailer.getNumDataIndexLevels() > HFileFormat.MAX_INDEX_LEVELS) {
      throw new CorruptFileException(
          file.path(),
          start,
          "1 to " + HFileFormat.MAX_INDEX_LEVELS + " index levels",
          String.valueOf(trailer.getNumDataIndexLevels()));
    }
    return trailer;
  }

  /** Walks over the section. */
  private static final class Parser {
    private final String path;
    private final BlockReader blocks;
    private final byte[] bytes;
    private final long start;
    private int at;

    Parser(String path, BlockReader blocks, byte[] bytes, long start) {
      this.path = path;
      this.blocks = blocks;
      this.bytes = bytes;
      this.start = start;
    }

    LoadOnOpen parse(FileTrailerProto trailer, Compression compression) throws IOException {
      int levels = trailer.getNumDataIndexLevels();
      RawBlock rootBlock = next(BlockType.ROOT_INDEX);
      IndexBlock root = root(rootBlock, trailer, levels > 1);
      Optional<IndexBlock.MidKey> midKey =
          levels > 1
              ? Optional.of(IndexBlock.MidKey.read(rootBlock.bytes(), root.end()))
              : Optional.empty();
      next(BlockType.ROOT_INDEX);
      HFileInfo info = info(next(BlockType.FILE_INFO), trailer, compression, root);
      boolean cellKeys = info.bloomType() == dev.cairn.engine.schema.FamilySchema.BloomType.ROWCOL;
      Optional<BloomFilter> general = Optional.empty();
      Optional<BloomFilter> deleteFamily = Optional.empty();
      while (at < bytes.length) {
        RawBlock meta = next(BlockType.GENERAL_BLOOM_META, BlockType.DELETE_FAMILY_BLOOM_META);
        if (meta.type() == BlockType.GENERAL_BLOOM_META) {
          general = bloom(meta, cellKeys);
        } else {
          deleteFamily = bloom(meta, false);
        }
      }
      return new LoadOnOpen(
          blocks,
          new DataBlockReader(
              blocks, info.encoding(), info.includesTags(), info.includesSequences()),
          levels,
          root,
          midKey,
          info,
          general,
          deleteFamily);
    }

    private RawBlock next(BlockType... expected) throws IOException {
      RawBlock block = blocks.parse(bytes, at, start + at, expected);
      at += block.onDiskSize();
      return block;
    }

    private IndexBlock root(RawBlock block, FileTrailerProto trailer, boolean midKey)
        throws IOException {
      try {
        IndexBlock root =
            IndexBlock.root(block.bytes(), block.from(), block.to(), trailer.getDataIndexCount());
        root.checkKeys();
        // The count comes from the trailer, which has no checksum: it must fit exactly.
        int rest = block.to() - root.end();
        if (rest != (midKey ? IndexBlock.MidKey.SIZE : 0)) {
          throw new IOException(root.count() + " entries and " + rest + " bytes more");
        }
        if ((root.count() == 0) != (trailer.getEntryCount() == 0)) {
          throw new IOException(
              root.count() + " entries for " + trailer.getEntryCount() + " cells");
        }
        return root;
      } catch (IOException e) {
        throw blocks.corrupt(block.fileOffset(), "a root index", e);
      }
    }

    private HFileInfo info(
        RawBlock block, FileTrailerProto trailer, Compression compression, IndexBlock root)
        throws IOException {
      if (block.fileOffset() != trailer.getFileInfoOffset()) {
        throw blocks.corrupt(
            block.fileOffset(), "file info", "it placed at " + trailer.getFileInfoOffset());
      }
      try {
        FileInfo info = FileInfo.parse(block.bytes(), block.from(), block.to());
        return HFileInfo.of(path, trailer, compression, root, info);
      } catch (UnsupportedFileException e) {
        throw e;
      } catch (IOException e) {
        throw blocks.corrupt(block.fileOffset(), "file info", e);
      }
    }

    private Optional<BloomFilter> bloom(RawBlock meta, boolean cellKeys) throws IOException {
      try {
        return BloomFilter.parse(meta, cellKeys);
      } catch (IOException e) {
        throw blocks.corrupt(meta.fileOffset(), "a Bloom filter", e);
      }
    }
  }
}
