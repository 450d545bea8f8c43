package dev.cairn.engine.scan;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.FileAccess;
import dev.cairn.engine.cursor.ReadMetrics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Records which of a family's memstores and files a scan reads, and how much it reads. In an
 * <em>observed</em> scan it also counts each source separately, and knows the source of each cell
 * that the scan looks at. One thread at a time.
 */
public final class SourceMetrics implements ScanObserver.Family {
  /** The use of a source by a scan: read, or skipped for a reason. */
  public enum Use {
    /** It is read. */
    READ,
    /** It has no cells. */
    EMPTY,
    /** Skipped: no row of the scan is in it. */
    OUTSIDE_ROWS,
    /** Skipped: no timestamp of it is in the time range, and no marker of it reaches there. */
    OUTSIDE_TIMES,
    /** Its Bloom filter knows that it does not have the row, or none of the columns. */
    NOT_IN_BLOOM_FILTER
  }

  /**
   * One memstore or file.
   *
   * @param inMemory whether it is a memstore
   * @param use whether it is read
   * @param cursor its cursor, if it is read
   * @param figures the reads from it
   */
  public record Source(
      boolean inMemory, Use use, Optional<CellCursor> cursor, ReadMetrics figures) {}

  private final boolean tracked;
  private final ReadMetrics common;
  private final List<Source> sources;
  private final int[] uses = new int[Use.values().length];

  private SourceMetrics(boolean tracked, ReadMetrics common) {
    this.tracked = tracked;
    this.sources = tracked ? new ArrayList<>() : List.of();
    this.common = common;
  }

  /**
   * Returns a trace that counts all sources together and serves one read after another.
   *
   * @param own counts for this trace only
   */
  public static SourceMetrics counting(ReadMetrics own) {
    return new SourceMetrics(false, own);
  }

  /**
   * Returns a trace that counts each source separately and serves one read.
   *
   * @param figures the read's figures, which stay unchanged
   */
  public static SourceMetrics tracking(ReadMetrics figures) {
    return new SourceMetrics(true, figures);
  }

  /**
   * Begins another read with all figures at zero. Separate figures are at zero already.
   *
   * @param files decides whether that read may load blocks from files
   */
  public void restart(FileAccess files) {
    if (!tracked) {
      common.restart(files);
    }
    Arrays.fill(uses, 0);
  }

  /** Tells whether each source is counted separately. */
  public boolean isTracked() {
    return tracked;
  }

  /** Returns the figures for the next source. */
  public ReadMetrics figures() {
    return tracked ? common.another() : common;
  }

  /** Says that a memstore is read. */
  public void memory(CellCursor cursor) {
    if (tracked) {
      sources.add(new Source(true, Use.READ, Optional.of(cursor), common.another()));
    }
  }

  /** Says that a memstore need not be read. */
  public void memoryRuledOut(Use why) {
    if (tracked) {
      sources.add(new Source(true, why, Optional.empty(), common.another()));
    }
  }

  /** Says that a file is read. */
  public void file(CellCursor cursor, ReadMetrics figures) {
    uses[Use.READ.ordinal()]++;
    if (tracked) {
      sources.add(new Source(false, Use.READ, Optional.of(cursor), figures));
    }
  }

  /** Says that a file need not be read. */
  public void ruledOut(Use why, ReadMetrics figures) {
    uses[why.ordinal()]++;
    if (tracked) {
      sources.add(new Source(false, why, Optional.empty(), figures));
    }
  }

  /** Returns the sources, newest first; none if they are not kept apart. */
  public List<Source> sources() {
    return sources;
  }

  /** Returns the number of files with this use. */
  public int files(Use use) {
    return uses[use.ordinal()];
  }

  /** Adds the reads that are counted nowhere else to {@code sum}. */
  public void addTo(ReadMetrics sum) {
    if (!tracked) {
      sum.add(common);
    }
    for (Source source : sources) {
      sum.add(source.figures());
    }
  }

  /** Adds the blocks found in the cache to the times of the thread's current operation. */
  public void reportCached() {
    if (!tracked) {
      common.reportCached();
    }
    for (int i = 0; i < sources.size(); i++) {
      sources.get(i).figures().reportCached();
    }
  }

  /**
   * Returns the index of the source whose cursor stands on {@code cell}, its own flyweight; -1 if
   * there is none.
   */
  public int indexOf(Cell cell) {
    for (int i = 0; i < sources.size(); i++) {
      Optional<CellCursor> cursor = sources.get(i).cursor();
      if (cursor.isPresent() && cursor.get().cell() == cell) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public void looked(Cell cell) {
    int index = indexOf(cell);
    if (index >= 0) {
      Source source = sources.get(index);
      if (source.inMemory()) {
        source.figures().lookedAtMemory(cell.serializedLength(true));
      } else {
        source.figures().lookedIntoBlock();
      }
    }
  }
}
