package dev.cairn.engine.store;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.constraint.ConstraintReport;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.reader.HFileInfo;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.DamagedFileException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** Checks a file that a client wrote, before it is loaded into a store. Stateless. */
public final class LoadableFile {
  /** Leaves room for writes: the number of a load, in a file's name, has at most 18 digits. */
  private static final long KEPT_SEQUENCE_MAX = 100_000_000_000_000_000L;

  private LoadableFile() {}

  /**
   * Returns the highest sequence number that a file keeps in a store, 0 if it keeps none. The store
   * must not give out numbers up to it any more: once the file is in the store, they count as
   * flushed, and its cells must be visible.
   *
   * @param renumbered whether the load gives the cells a number, unless the file refuses that
   * @throws UnloadableFileException if there would not be enough numbers left
   */
  public static long keptSequence(
      StoreContext context, String path, RegionInfo region, boolean renumbered) throws IOException {
    try (HFileReader file =
        HFileReader.open(context.storage(), path, context.cache(), region.comparator())) {
      HFileInfo info = file.info();
      if (renumbered && !BulkLoad.keepsSequences(info)) {
        return 0;
      }
      long kept = Math.max(info.maxSequence(), info.maxMvcc());
      if (kept > KEPT_SEQUENCE_MAX) {
        throw new UnloadableFileException(
            path,
            "it keeps the sequence number %d, and the highest allowed one is %d"
                .formatted(kept, KEPT_SEQUENCE_MAX));
      }
      return Math.max(0, kept);
    } catch (DamagedFileException e) {
      throw new UnloadableFileException(path, e);
    }
  }

  /**
   * Checks the first and the last key of a file, and its metadata.
   *
   * @return why the file does not fit into the region; empty if it does
   * @throws UnloadableFileException if it fits into no region of the table
   */
  public static Optional<String> check(
      StoreContext context, String path, RegionInfo region, FamilySchema family)
      throws IOException {
    return check(context, path, region, family, Optional.empty());
  }

  /**
   * Like {@link #check}, but also reads every cell.
   *
   * @param values has every cell checked against the table's constraints
   */
  public static Optional<String> checkCells(
      StoreContext context,
      String path,
      RegionInfo region,
      FamilySchema family,
      ConstraintReport values)
      throws IOException {
    return check(context, path, region, family, Optional.of(values));
  }

  private static Optional<String> check(
      StoreContext context,
      String path,
      RegionInfo region,
      FamilySchema family,
      Optional<ConstraintReport> everyCell)
      throws IOException {
    CellComparator order = region.comparator();
    try (HFileReader file = HFileReader.open(context.storage(), path, context.cache(), order)) {
      HFileInfo info = file.info();
      if (info.entryCount() == 0 || info.firstKey().isEmpty() || info.lastKey().isEmpty()) {
        throw new UnloadableFileException(path, "it has no cells");
      }
      Cell first = info.firstKey().get();
      Cell last = info.lastKey().get();
      checkFamily(path, first, family);
      if (!region.contains(first.row()) || !region.contains(last.row())) {
        return Optional.of(
            "%s has the rows %s to %s, and %s has those from %s to %s"
                .formatted(
                    path,
                    Bytes.toStringBinary(first.row()),
                    Bytes.toStringBinary(last.row()),
                    region.regionNameAsString(),
                    Bytes.toStringBinary(region.startKey()),
                    Bytes.toStringBinary(region.endKey())));
      }
      if (everyCell.isPresent()) {
        checkCells(file, family, order, everyCell.get());
      }
      return Optional.empty();
    } catch (DamagedFileException e) {
      throw new UnloadableFileException(path, e);
    }
  }

  private static void checkCells(
      HFileReader file, FamilySchema family, CellComparator order, ConstraintReport values)
      throws IOException {
    CellBuffer previous = new CellBuffer();
    Cell before = new Cell();
    // Does not seek to the first key: the cells of a flush have sequence numbers, and sort before a
    // key without one.
    Cell start = Cell.firstOnRow(file.info().firstKey().orElseThrow().row());
    Cell last = file.info().lastKey().orElseThrow();
    long count = 0;
    try (CellCursor cursor = file.cursor(false)) {
      for (boolean on = cursor.seek(start); on; on = cursor.next()) {
        Cell cell = cursor.cell();
        checkFamily(file.path(), cell, family);
        values.check(cell);
        if (count > 0 && order.compare(previous.get(0, before, cell.sequence()), cell) > 0) {
          throw new UnloadableFileException(
              file.path(),
              "its cells are not in order: %s comes before %s".formatted(before, cell));
        }
        previous.clear();
        previous.add(cell);
        count++;
      }
    }
    if (count != file.info().entryCount()
        || order.compareRow(previous.get(0, before, 0), last.row()) != 0) {
      throw new UnloadableFileException(
          file.path(),
          "it should have %d cells until row %s, and %d cells until row %s were found"
              .formatted(
                  file.info().entryCount(),
                  Bytes.toStringBinary(last.row()),
                  count,
                  Bytes.toStringBinary(before.row())));
    }
  }

  private static void checkFamily(String path, Cell cell, FamilySchema family)
      throws UnloadableFileException {
    int offset = cell.familyOffset();
    byte[] name = family.name();
    if (!Arrays.equals(name, 0, name.length, cell.bytes(), offset, offset + cell.familyLength())) {
      throw new UnloadableFileException(
          path,
          "it is to be loaded into the family %s, and has the cell %s"
              .formatted(family.nameAsString(), cell));
    }
  }

  /**
   * A file cannot be loaded into a store, now or later. The message names the file and the reason.
   */
  public static final class UnloadableFileException extends IOException {
    /** Creates the exception with the file's path and a phrase that describes the error. */
    public UnloadableFileException(String path, String problem) {
      super("Cannot load " + path + ": " + problem);
    }

    /** Creates the exception with the file's path and the error that describes the cause. */
    public UnloadableFileException(String path, IOException cause) {
      super("Cannot load " + path + ": " + cause.getMessage(), cause);
    }
  }
}
