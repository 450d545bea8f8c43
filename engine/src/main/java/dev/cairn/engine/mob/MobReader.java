package dev.cairn.engine.mob;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.scan.ScanRequest.MobOptions;
import dev.cairn.engine.scan.ValueSource;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the values of MOB cells for one scan or one compaction of a family. It keeps the files that
 * it used last, each with a cursor, so that neighbouring cells cost a step and not a search. One
 * thread; close it.
 */
public final class MobReader implements ValueSource {
  /** The number of open files that are kept: about as many as a few flushes write. */
  private static final int FILES_MAX = 8;

  private final MobDirectory own;
  private final MobFileCache files;
  private final MobOptions options;
  private final Map<MobReference, Opened> opened = new LinkedHashMap<>(16, 0.75f, true);
  private final Cell key = new Cell();
  private final Cell found = new Cell();
  private byte[] lastName = Bytes.EMPTY;
  private Opened last;

  private record Opened(MobFile file, CellCursor cursor) {
    void close() {
      cursor.close();
      file.release();
    }
  }

  /**
   * Creates a reader.
   *
   * @param own where MOB files lie whose references name no table
   */
  public MobReader(MobDirectory own, MobFileCache files, MobOptions options) {
    this.own = own;
    this.files = files;
    this.options = options;
  }

  /**
   * Returns the original cell of the reference {@code cell}, with the same key and sequence number.
   *
   * @throws MissingValueException naming the MOB file, if that or the cell in it is missing, unless
   *     an empty value was asked for instead
   */
  @Override
  public Cell resolve(Cell cell) throws IOException {
    if (!MobReference.is(cell)) {
      return cell;
    }
    if (!options.emptyIfMissing()) {
      return find(cell);
    }
    try {
      return find(cell);
    } catch (MissingValueException e) {
      return empty(cell);
    }
  }

  /** Returns the open file to which a reference leads; valid until the next call. */
  MobFile fileOf(Cell reference) throws IOException {
    return open(reference).file();
  }

  @Override
  public void close() {
    opened.values().forEach(Opened::close);
    opened.clear();
    lastName = Bytes.EMPTY;
  }

  /**
   * Finds the cell with the reference's key, number and tags. One key may occur several times:
   * written again, or twice by one write with different tags, such as a time to live. HBase's
   * compactions drop the numbers of references, and MOB files keep them.
   */
  private Cell find(Cell reference) throws IOException {
    Opened from = open(reference);
    CellCursor cursor = from.cursor();
    key.set(reference, Long.MAX_VALUE);
    if (!cursor.seek(key) || !isKeyOf(cursor, reference)) {
      throw new MissingValueException(
          "The MOB file " + from.file().reader().path() + " has no cell " + reference);
    }
    boolean exact = isExact(cursor.cell(), reference);
    while (!exact && cursor.next() && isKeyOf(cursor, reference)) {
      exact = isExact(cursor.cell(), reference);
    }
    if (!exact) {
      // The newest that is not newer than the reference, if there is one; otherwise the first.
      key.set(reference);
      if (!cursor.seek(key) || !isKeyOf(cursor, reference)) {
        key.set(reference, Long.MAX_VALUE);
        cursor.seek(key);
      }
    }
    found.set(cursor.cell(), reference.sequence());
    return found;
  }

  private static boolean isKeyOf(CellCursor cursor, Cell reference) {
    return CellComparator.USER.compareKeys(cursor.cell(), reference) == 0;
  }

  private static boolean isExact(Cell cell, Cell reference) {
    return (cell.sequence() == reference.sequence() || reference.sequence() == 0)
        && MobReference.hasTagsOf(reference, cell);
  }

  private Opened open(Cell reference) throws IOException {
    int from = reference.valueOffset() + Integer.BYTES;
    int to = reference.valueOffset() + reference.valueLength();
    boolean same =
        lastName.length > 0
            && from < to
            && Arrays.equals(reference.bytes(), from, to, lastName, 0, lastName.length);
    if (!same) {
      MobReference parsed = MobReference.of(reference);
      Opened known = opened.get(parsed);
      last = known != null ? known : open(parsed);
      lastName = Bytes.utf8(parsed.file());
    }
    return last;
  }

  private Opened open(MobReference reference) throws IOException {
    lastName = Bytes.EMPTY;
    if (opened.size() >= FILES_MAX) {
      MobReference eldest = opened.keySet().iterator().next();
      opened.remove(eldest).close();
    }
    MobDirectory directory =
        reference
            .table()
            .map(table -> MobDirectory.of(own.place().dataDirectory(), table, own.place().family()))
            .orElse(own);
    MobFile file = files.open(directory, reference.file());
    CellCursor cursor = file.reader().cursor(options.cacheBlocks());
    Opened made = new Opened(file, cursor);
    opened.put(reference, made);
    return made;
  }

  /** Returns the cell with nothing as its value, and its own tags. */
  private static Cell empty(Cell reference) {
    return Cell.of(
        reference.row(),
        reference.family(),
        reference.qualifier(),
        reference.timestamp(),
        reference.typeCode(),
        Bytes.EMPTY,
        Bytes.EMPTY,
        reference.sequence());
  }
}
