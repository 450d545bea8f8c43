package dev.cairn.engine.explain;

import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.engine.scan.SourceFacts;
import dev.cairn.engine.scan.SourceMetrics.Use;
import dev.cairn.engine.schema.FamilySchema;
import java.util.List;

/**
 * What a scan of one region read, all together.
 *
 * @param readPoint the highest write that it sees
 * @param nowMillis the moment by which it says what is expired, milliseconds since 1970
 * @param families what of each family
 * @param statistics what it looked at; the walk that explains is not counted
 * @param nanos how long the scan itself took, nanoseconds
 * @param filterEnded whether the filter said that nothing more can be wanted; rows behind were not
 *     walked over
 * @param rowsNotListed whether there were so many rows in one place that the scan did not come to
 *     that not all were explained
 */
public record ScanReport(
    long readPoint,
    long nowMillis,
    List<Family> families,
    ScanStatistics statistics,
    long nanos,
    boolean filterEnded,
    boolean rowsNotListed) {
  /** Copies the list. */
  public ScanReport {
    families = List.copyOf(families);
  }

  /**
   * What the scan read of one family.
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
   * What the scan read of one memstore or file.
   *
   * @param facts what is known of it
   * @param use whether the scan read it, or why not
   * @param figures what the scan took out of it
   */
  public record Source(SourceFacts facts, Use use, ReadMetrics figures) {}
}
