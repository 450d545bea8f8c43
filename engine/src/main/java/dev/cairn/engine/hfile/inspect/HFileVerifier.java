package dev.cairn.engine.hfile.inspect;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.hfile.block.BlockMemory;
import dev.cairn.engine.hfile.block.BlockReader.RawBlock;
import dev.cairn.engine.hfile.block.BlockWalk;
import dev.cairn.engine.hfile.block.DataBlock;
import dev.cairn.engine.hfile.block.IndexBlock;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.format.BlockType;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.hfile.format.Trailer;
import dev.cairn.engine.hfile.format.UnsupportedFileException;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.hfile.reader.LoadOnOpen;
import dev.cairn.engine.storage.Finding;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks all metadata of a store file against its contents: the checksums of all blocks, the order
 * of the cells, the index (each data block is reached by exactly one entry, whose key lies between
 * the cells before and the cells in the block), the Bloom filters (the answer for every cell is
 * yes), and the figures in trailer and file info.
 *
 * <p>It follows the index, and also reads the bytes between two data blocks, so damage in one place
 * does not hide the rest. It keeps one block of each level of the index, a data block and the
 * chunks of the Bloom filters in memory. One thread.
 */
public final class HFileVerifier {
  /** The number of findings after which the check ends. */
  private static final int FINDINGS_MAX = 100;

  private final List<Finding> findings = new ArrayList<>();
  private final String path;
  private final LoadOnOpen loaded;
  private final Trailer trailer;
  private final VerifiedCells cells;
  private long position;
  private long lastDataOffset = -1;

  private HFileVerifier(
      String path, Trailer trailer, LoadOnOpen loaded, HFileReader reader, long start) {
    this.path = path;
    this.trailer = trailer;
    this.loaded = loaded;
    this.cells = new VerifiedCells(reader, this::report);
    this.position = start;
  }

  /**
   * Checks a file.
   *
   * @return the problems, at most about a hundred findings; empty if there are none
   * @throws java.nio.file.NoSuchFileException if there is no such file
   * @throws UnsupportedFileException if it cannot be read here
   * @throws IOException if reading fails
   */
  public static List<Finding> verify(Storage storage, String path) throws IOException {
    try (ReadableFile file = storage.open(path)) {
      Trailer trailer = Trailer.read(file);
      LoadOnOpen loaded = LoadOnOpen.read(file, HFileInspector.order(trailer));
      BlockCache cache = new BlockCache(1 << 20, Runnable::run);
      try (HFileReader reader =
          HFileReader.open(storage, path, cache, HFileInspector.order(trailer))) {
        return new HFileVerifier(path, trailer, loaded, reader, 0).run();
      }
    } catch (CorruptFileException e) {
      return List.of(finding(e));
    }
  }

  private List<Finding> run() throws IOException {
    long end = trailer.message().getLoadOnOpenDataOffset();
    if (loaded.root().count() > 0) {
      level(loaded.root(), 1);
    }
    between(end);
    boolean whole = findings.isEmpty();
    checkMetaBlocks();
    if (whole) { // otherwise counts differ because of earlier findings
      checkFigures();
      cells.checkFigures(trailer.offset());
    }
    return findings;
  }

  /** Goes over the blocks that an index block refers to. */
  private void level(IndexBlock index, int depth) throws IOException {
    boolean leaf = depth == loaded.indexLevels();
    Cell key = new Cell();
    for (int i = 0; i < index.count() && findings.size() < FINDINGS_MAX; i++) {
      index.key(i, key);
      try {
        if (leaf) {
          data(index.offset(i), index.size(i), key);
        } else {
          level(below(index.offset(i), index.size(i), depth + 1), depth + 1);
        }
      } catch (CorruptFileException e) {
        findings.add(finding(e));
        passOver(index, i, depth);
      }
    }
  }

  /** Continues after a damaged block, which the walk between data blocks could not pass. */
  private void passOver(IndexBlock index, int entry, int depth) {
    cells.skip();
    long end = index.offset(entry) + index.size(entry);
    boolean possible = index.size(entry) > 0 && end <= trailer.message().getLoadOnOpenDataOffset();
    if (depth == loaded.indexLevels() && possible) {
      position = Math.max(position, end);
    }
  }

  private IndexBlock below(long offset, int size, int depth) throws IOException {
    BlockType type =
        depth == loaded.indexLevels() ? BlockType.LEAF_INDEX : BlockType.INTERMEDIATE_INDEX;
    RawBlock raw = loaded.blocks().read(offset, size, type);
    try {
      return IndexBlock.below(raw.bytes(), raw.from(), raw.to());
    } catch (CorruptFileException e) {
      throw e;
    } catch (IOException e) {
      throw loaded.blocks().corrupt(offset, "an index block", e);
    }
  }

  private void data(long offset, int size, Cell key) throws IOException {
    if (offset <= lastDataOffset) {
      report(offset, "the index refers to data blocks that are not in the order of the file");
      return;
    }
    between(offset);
    lastDataOffset = offset;
    DataBlock block = loaded.dataBlockReader().read(offset, size, BlockMemory.NEW);
    position = offset + size;
    cells.block(block, offset, key);
  }

  /**
   * Checks the bytes between two data blocks: no data block may lie there without an entry of the
   * index.
   */
  private void between(long to) {
    BlockWalk walk = new BlockWalk(loaded.blocks(), position, to);
    try {
      while (walk.hasNext()) {
        RawBlock block = walk.next();
        if (block.type() == BlockType.DATA || block.type() == BlockType.ENCODED_DATA) {
          report(block.fileOffset(), "no entry of the index leads to this data block");
        }
      }
    } catch (CorruptFileException e) {
      findings.add(finding(e));
    } catch (IOException e) {
      report(walk.offset(), e.getMessage());
    }
    position = Math.max(position, to);
  }

  private void checkMetaBlocks() throws IOException {
    IndexBlock index = loaded.metaIndex();
    for (int i = 0; i < index.count(); i++) {
      try {
        loaded.blocks().read(index.offset(i), index.size(i), BlockType.META);
      } catch (CorruptFileException e) {
        findings.add(finding(e));
      }
    }
  }

  private void checkFigures() {
    long last = trailer.message().getLastDataBlockOffset();
    if (last != lastDataOffset) {
      report(
          trailer.offset(),
          "the trailer places the last data block at " + last + ", it is at " + lastDataOffset);
    }
  }

  private void report(long offset, String what) {
    if (findings.size() < FINDINGS_MAX) {
      findings.add(new Finding(path, offset, what));
    }
  }

  private static Finding finding(CorruptFileException damage) {
    return new Finding(damage.path(), damage.offset(), damage.what());
  }
}
