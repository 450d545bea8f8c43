package dev.cairn.engine.explain;

import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.scan.IndexReport;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.engine.scan.SourceFacts;
import dev.cairn.engine.scan.SourceMetrics.Use;
import dev.cairn.engine.schema.FamilySchema;
import java.util.List;
import java.util.Optional;

/**
 * The complete report of one scan of a region.
 *
 * @param readPoint the highest write that the scan sees
 * @param nowMillis the time against which cells expire, milliseconds since 1970
 * @param families one report for each family
 * @param statistics the scan's counters, without the walk that explains
 * @param nanos duration of the scan itself, nanoseconds
 * @param hookNanos the part of it in hooks of users' classes, 0 if there are none
 * @param filterEnded true if the filter ended the scan; later rows were not explained
 * @param rowsNotListed true if the scan skipped so many consecutive rows that only some are
 *     explained
 * @param index the use of secondary indexes by the same scan without an explanation; empty if the
 *     region has none, or the scan no filter
 */
public record ScanReport(
    long readPoint,
    long nowMillis,
    List<Family> families,
    ScanStatistics statistics,
    long nanos,
    long hookNanos,
    boolean filterEnded,
    boolean rowsNotListed,
    Optional<IndexReport> index) {
  /** Copies the list. */
  public ScanReport {
    families = List.copyOf(families);
  }

  /**
   * The report for one family.
   *
   * @param schema the family's rules
   * @param sources its memstores and files, newest first
   */
  public record Family(FamilySchema schema, List<Source> sources) {
    /** Copies the list. */
    public Family {
      sources = List.copyOf(sources);
    }
  }

  /**
   * The report for one memstore or file.
   *
   * @param facts its properties
   * @param use whether the scan read it, or the reason why not
   * @param figures the scan's reads from it
   */
  public record Source(SourceFacts facts, Use use, ReadMetrics figures) {}
}
