package dev.cairn.engine.mob;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for each cell of a store file that is being written where its value goes, as HBase does:
 *
 * <ul>
 *   <li>a value above the family's threshold goes to a MOB file, and a reference to the store file;
 *   <li>a flush or an ordinary compaction keeps the references that it meets, whatever the
 *       threshold is by now;
 *   <li>a MOB compaction (a major compaction that somebody asked for) reads the values back and
 *       decides anew, so that MOB files go that have become mostly waste. If it is optimized,
 *       values in large MOB files stay where they are;
 *   <li>in a family that is no MOB family any more, a MOB compaction brings all values back.
 * </ul>
 *
 * <p>{@link #publish} moves the MOB files into place, before the store file is moved: a crash
 * between the two leaves a MOB file without references, never a reference without its file. All MOB
 * files are completed shortly before that, so that the cleaner of unreferenced files does not take
 * them for old ones. One thread; close it.
 */
public final class MobWriter implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(MobWriter.class);

  private final MobFamily home;
  private final FamilySchema family;
  private final HFileOptions options;
  private final long newestMillis;
  private final Optional<MobReader> rewritten;
  private final List<MobOutput> outputs = new ArrayList<>();
  private final SortedMap<TableName, SortedSet<String>> references = new TreeMap<>();
  private final Set<String> missing = new HashSet<>();
  private byte[] lastReference = Bytes.EMPTY;
  private Cell placed;

  /**
   * Creates a writer that accompanies that of a store file.
   *
   * @param home the family's context for MOB files
   * @param options how the store file is written
   * @param newestMillis the newest timestamp among the cells that come
   * @param rewrite whether values that lie in MOB files are read back
   */
  public MobWriter(
      MobFamily home,
      FamilySchema family,
      HFileOptions options,
      long newestMillis,
      boolean rewrite) {
    this.home = home;
    this.family = family;
    this.options = options.withoutBloom();
    this.newestMillis = newestMillis;
    this.rewritten = rewrite ? Optional.of(home.reader()) : Optional.empty();
  }

  /**
   * Decides which cell represents {@code cell} in the store file: {@link #placed}.
   *
   * @return false if nothing does
   */
  public boolean place(Cell cell) throws IOException {
    placed = cell;
    if (cell.typeCode() != CellType.PUT.code()) {
      return true;
    }
    if (!MobReference.is(cell)) {
      placed = store(cell);
      return true;
    }
    if (rewritten.isPresent()) {
      return rewrite(cell, rewritten.get());
    }
    keep(cell);
    return true;
  }

  /**
   * Returns the cell for the store file: the placed cell itself, or one that refers to it. Valid
   * until the next call of {@link #place}.
   */
  public Cell placed() {
    return placed;
  }

  /** Enters into the store file to which MOB files it refers, once all its cells are placed. */
  public void describe(HFileWriter file) {
    for (MobOutput output : outputs) {
      add(home.directory().place().table(), output.name());
    }
    if (family.isMob() || !references.isEmpty()) {
      file.putFileInfo(MobFileRefs.KEY, new MobFileRefs(references).toBytes());
    }
  }

  /**
   * Completes all MOB files, on their device.
   *
   * @param maxSequence up to which sequence number the store file holds all writes
   * @param major whether the store file is made from all files of its store
   */
  public void complete(long maxSequence, boolean major) throws IOException {
    for (MobOutput output : outputs) {
      output.finish(maxSequence, major);
    }
  }

  /** Puts all MOB files, which are complete, in their places. */
  public void publish() throws IOException {
    for (MobOutput output : outputs) {
      output.publish();
    }
  }

  /** Lets go of all files; those that were not published are deleted. */
  @Override
  public void close() throws IOException {
    rewritten.ifPresent(MobReader::close);
    IOException failure = null;
    for (MobOutput output : outputs) {
      try {
        output.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Writes a value to the MOB file or the store file, by the threshold. */
  private Cell store(Cell cell) throws IOException {
    if (!family.isMob() || cell.valueLength() <= family.mobThreshold()) {
      return cell;
    }
    MobOutput output = output();
    return output.canTake(cell) ? output.take(cell) : cell;
  }

  private boolean rewrite(Cell reference, MobReader reader) throws IOException {
    try {
      if (home.settings().optimized()
          && reader.fileOf(reference).reader().length() >= home.settings().largeFileBytes()) {
        keep(reference);
      } else {
        placed = store(reader.resolve(reference));
      }
      return true;
    } catch (MissingValueException e) {
      boolean dropped = home.settings().discardMissing();
      tellMissing(reference, dropped, e);
      if (dropped) {
        return false;
      }
      // Should the file come back, the value is there again.
      keep(reference);
      return true;
    }
  }

  /** Logs only the first of the cells whose values are missing for the same reason. */
  private void tellMissing(Cell reference, boolean dropped, MissingValueException cause) {
    if (!missing.add(String.valueOf(cause.getMessage()))) {
      LOG.debug("The value of the cell {} is missing, too", reference);
    } else if (dropped) {
      LOG.error(
          "Dropping the cell {} and any others with this error, since their values are lost: {}",
          reference,
          cause.getMessage());
    } else {
      LOG.error(
          "Keeping the cell {} and any others with this error, whose values are missing: {}",
          reference,
          cause.getMessage());
    }
  }

  /** Writes down to which file a reference leads that goes to the store file as it is. */
  private void keep(Cell reference) {
    int to = reference.valueOffset() + reference.valueLength();
    int from = Math.min(reference.valueOffset() + Integer.BYTES, to);
    boolean same =
        lastReference.length > 0
            && Arrays.equals(reference.bytes(), from, to, lastReference, 0, lastReference.length);
    if (!same) {
      try {
        MobReference parsed = MobReference.of(reference);
        add(parsed.table().orElse(home.directory().place().table()), parsed.file());
        lastReference = Bytes.utf8(parsed.file());
      } catch (MissingValueException e) {
        LOG.warn("Keeping a cell as it is: {}", e.getMessage()); // clients can send any tags
      }
    }
  }

  private void add(TableName table, String file) {
    references.computeIfAbsent(table, name -> new TreeSet<>()).add(file);
  }

  private MobOutput output() throws IOException {
    int last = outputs.size() - 1;
    boolean full =
        last >= 0
            && home.settings().optimized()
            && outputs.get(last).byteSize() >= home.settings().largeFileBytes();
    if (last < 0 || full) {
      outputs.add(home.create(newestMillis, options));
      last++;
    }
    return outputs.get(last);
  }
}
