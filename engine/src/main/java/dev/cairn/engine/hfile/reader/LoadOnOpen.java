package dev.cairn.engine.hfile.reader;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.block.BlockReader;
import dev.cairn.engine.hfile.block.BlockReader.RawBlock;
import dev.cairn.engine.hfile.block.IndexBlock;
import dev.cairn.engine.hfile.bloom.BloomFilter;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.format.BlockType;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.hfile.format.FileInfo;
import dev.cairn.engine.hfile.format.HFileFormat;
import dev.cairn.engine.hfile.format.Trailer;
import dev.cairn.engine.hfile.format.UnsupportedFileException;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import dev.cairn.engine.storage.ReadableFile;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HFileProtos.FileTrailerProto;

/**
 * The part of a file that is read when it is opened, and stays in memory. It lies between {@code
 * loadOnOpenDataOffset} and the trailer, in this order: root index, index of meta blocks, file
 * info, and the meta blocks of the Bloom filters, if there are any.
 */
public record LoadOnOpen(
    BlockReader blocks,
    DataBlockReader dataBlockReader,
    int indexLevels,
    IndexBlock root,
    Optional<IndexBlock.MidKey> midKey,
    IndexBlock metaIndex,
    HFileInfo info,
    Optional<BloomFilter> generalBloom,
    Optional<BloomFilter> deleteFamilyBloom) {
  /** Reads trailer and section of a file. */
  public static LoadOnOpen read(ReadableFile file, CellComparator comparator) throws IOException {
    Trailer trailer = Trailer.read(file);
    FileTrailerProto message = trailer.message();
    check(trailer, file.path(), comparator);
    Compression compression = Compression.ofCode(message.getCompressionCodec());
    if (compression == null) {
      throw new UnsupportedFileException(
          file.path(), "its compression has the code " + message.getCompressionCodec());
    }
    BlockReader blocks = new BlockReader(file, trailer, compression);
    return new Parser(file.path(), blocks, message.getLoadOnOpenDataOffset())
        .parse(message, compression);
  }

  private static void check(Trailer trailer, String path, CellComparator comparator)
      throws IOException {
    FileTrailerProto message = trailer.message();
    if (message.hasEncryptionKey() && !message.getEncryptionKey().isEmpty()) {
      throw new UnsupportedFileException(
          path, "it is encrypted; a major compaction with HBase without encryption rewrites it");
    }
    long start = message.getLoadOnOpenDataOffset();
    if (start < 0 || start >= trailer.offset()) {
      throw new CorruptFileException(
          path,
          trailer.offset(),
          "a section before byte " + trailer.offset(),
          "an offset of " + start);
    }
    if (!Trailer.isComparator(message.getComparatorClassName(), comparator)) {
      throw new CorruptFileException(
          path,
          trailer.offset(),
          "cells in the order " + Trailer.comparatorName(comparator),
          message.getComparatorClassName());
    }
    if (message.getNumDataIndexLevels() < 1
        || message.getNumDataIndexLevels() > HFileFormat.MAX_INDEX_LEVELS) {
      throw new CorruptFileException(
          path,
          trailer.offset(),
          "1 to " + HFileFormat.MAX_INDEX_LEVELS + " index levels",
          String.valueOf(message.getNumDataIndexLevels()));
    }
  }

  /** Walks over the section, with a part of it in memory at a time. */
  private static final class Parser {
    private static final int WINDOW_SIZE = 256 * 1024;

    private final String path;
    private final BlockReader blocks;
    private byte[] window = {};
    private long windowOffset;
    private long offset;

    Parser(String path, BlockReader blocks, long start) {
      this.path = path;
      this.blocks = blocks;
      this.offset = start;
    }

    LoadOnOpen parse(FileTrailerProto trailer, Compression compression) throws IOException {
      int levels = trailer.getNumDataIndexLevels();
      RawBlock rootBlock = next(BlockType.ROOT_INDEX);
      IndexBlock root = root(rootBlock, trailer, levels > 1);
      Optional<IndexBlock.MidKey> midKey =
          levels > 1
              ? Optional.of(IndexBlock.MidKey.read(rootBlock.bytes(), root.end()))
              : Optional.empty();
      IndexBlock metaIndex = metaIndex(next(BlockType.ROOT_INDEX), trailer.getMetaIndexCount());
      HFileInfo info = info(next(BlockType.FILE_INFO), trailer, compression, root);
      boolean cellKeys = info.bloomType() == BloomType.ROWCOL;
      Optional<BloomFilter> general = Optional.empty();
      Optional<BloomFilter> deleteFamily = Optional.empty();
      while (offset < blocks.end()) {
        RawBlock meta = next(BlockType.GENERAL_BLOOM_META, BlockType.DELETE_FAMILY_BLOOM_META);
        if (meta.type() == BlockType.GENERAL_BLOOM_META) {
          general = bloom(meta, cellKeys);
        } else {
          deleteFamily = bloom(meta, false);
        }
      }
      return new LoadOnOpen(
          blocks,
          new DataBlockReader(blocks, info),
          levels,
          root,
          midKey,
          metaIndex,
          info,
          general,
          deleteFamily);
    }

    private RawBlock next(BlockType... expected) throws IOException {
      if (offset >= blocks.end()) {
        throw blocks.corrupt(
            offset, "a block " + expected[0].magic(), "the end of the file's blocks");
      }
      if (windowEnd() - offset < blocks.headerSize()) {
        slide();
      }
      int size = blocks.size(window, (int) (offset - windowOffset), offset, expected);
      RawBlock block;
      if (size > WINDOW_SIZE) {
        block = blocks.read(offset, size, expected);
      } else {
        if (windowEnd() - offset < size) {
          slide();
        }
        block = blocks.parse(window, (int) (offset - windowOffset), offset, expected);
      }
      offset += size;
      return block;
    }

    private long windowEnd() {
      return windowOffset + window.length;
    }

    private void slide() throws IOException {
      window = blocks.window(offset, WINDOW_SIZE);
      windowOffset = offset;
    }

    private IndexBlock root(RawBlock block, FileTrailerProto trailer, boolean midKey)
        throws IOException {
      try {
        IndexBlock root =
            IndexBlock.root(block.bytes(), block.from(), block.to(), trailer.getDataIndexCount());
        root.checkKeys();
        // The count comes from the trailer, which may have no checksum: it must fit exactly.
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

    private IndexBlock metaIndex(RawBlock block, int count) throws IOException {
      try {
        IndexBlock index = IndexBlock.root(block.bytes(), block.from(), block.to(), count);
        if (index.end() != block.to()) {
          throw new IOException(count + " entries and " + (block.to() - index.end()) + " bytes");
        }
        return index;
      } catch (IOException e) {
        throw blocks.corrupt(block.fileOffset(), "an index of meta blocks", e);
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
