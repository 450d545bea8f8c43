package dev.cairn.bench.hfile;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.encoding.DataBlockEncoding;
import dev.cairn.engine.hfile.format.ChecksumType;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Cairn's files, with the settings that both sides have. */
final class CairnFiles {
  static final int BLOCK_SIZE = 64 * 1024;

  private static final int CHUNK_SIZE = 128 * 1024;

  private final UnsyncedStorage storage;
  private final HFileOptions options;
  private final Optional<Executor> helpers;

  /**
   * Prepares for files in {@code directory}.
   *
   * @param helpers help to compress, as a server's do
   */
  CairnFiles(Path directory, String encoding, String compression, Optional<Executor> helpers)
      throws IOException {
    this.helpers = helpers;
    this.storage = new UnsyncedStorage(new LocalStorage(directory));
    this.options =
        new HFileOptions(
            BLOCK_SIZE,
            Compression.of(compression),
            DataBlockEncoding.of(encoding),
            BloomType.ROW,
            0,
            CellComparator.USER,
            false,
            ChecksumType.CRC32C,
            CHUNK_SIZE,
            CHUNK_SIZE);
  }

  /** Writes a file and returns its length. */
  long write(String name, SampleCells cells) throws IOException {
    try (HFileWriter writer = new HFileWriter(storage, name, options, Clock.SYSTEM, helpers)) {
      int count = cells.size();
      for (int i = 0; i < count; i++) {
        writer.append(cells.get(i));
      }
      writer.setMaxSequence(count);
      return writer.finish();
    }
  }

  HFileReader open(String name, BlockCache cache) throws IOException {
    return HFileReader.open(storage, name, cache, CellComparator.USER);
  }

  void delete(String name) throws IOException {
    storage.delete(name);
  }
}
