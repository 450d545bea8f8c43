package dev.cairn.interop.sidebyside;

import dev.cairn.engine.scan.TimeRange;
import dev.cairn.torture.model.Change;
import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.Text;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.CompareOperator;

/** One operation as data: what a client asks for, or work on the files of one server. */
sealed interface Step {
  /** What a client asks for. */
  sealed interface Request extends Step {}

  /** What may be part of a batch. */
  sealed interface Part extends Request {}

  /**
   * A read of one row.
   *
   * @param existence whether only to say if there is anything
   */
  record Get(Query query, Optional<Sieve> sieve, boolean existence) implements Part {
    @Override
    public String toString() {
      return query + sieve.map(s -> " by " + s).orElse("") + (existence ? " exists?" : "");
    }
  }

  /** Several reads in one call, all of them for cells or all for existence. */
  record Gets(List<Get> gets, boolean existence) implements Request {}

  /** A read of many rows. */
  record Scan(Query query, Optional<Sieve> sieve, ScanHints hints) implements Request {}

  /** One put, delete, increment or append. */
  record Write(Change change) implements Part {}

  /** Several puts, or several deletes, in one call. */
  record Writes(List<Change> changes) implements Request {}

  /** Changes of one row, all or none. */
  record Together(List<Change> changes) implements Part {}

  /**
   * Changes of one row, if something is true of it.
   *
   * @param old whether by the builder that {@code Table} had first
   */
  record CheckAndChange(Check check, List<Change> changes, boolean old) implements Part {}

  /** Several of them in one call. */
  record Checks(List<CheckAndChange> parts) implements Request {}

  /** Anything in one call. */
  record Batch(List<Part> parts) implements Request {}

  /** A misuse: every side has to refuse it with the same class, and nothing is changed. */
  record Misuse(Mistake mistake, String row) implements Request {}

  /** Work on the files of one server. */
  record Housekeeping(Place place, Work work) implements Step {}

  /**
   * Other indexes of Cairn's table, which has them from now on.
   *
   * @param attributes the attributes of the table that describe them
   * @param built whether they are built before the next step; else some reads go without them
   */
  record Indexes(Map<String, String> attributes, boolean built) implements Step {}

  /** Which server. */
  enum Place {
    CAIRN,
    HBASE
  }

  /** What work. */
  enum Work {
    FLUSH,
    COMPACT,
    MAJOR_COMPACT
  }

  /**
   * What has to be true of a row: that a filter lets something pass, or what a column holds.
   *
   * @param value compared with the column's by {@code operator}; empty: that there is none
   */
  record Check(
      String row,
      String family,
      String qualifier,
      CompareOperator operator,
      Optional<String> value,
      Optional<Sieve> sieve,
      TimeRange range) {
    @Override
    public String toString() {
      String what =
          sieve
              .map(Sieve::toString)
              .orElse(
                  Text.show(family)
                      + ":"
                      + Text.show(qualifier)
                      + value
                          .map(v -> " " + operator + " " + Text.show(v))
                          .orElse(" is not there"));
      return "if %s %s%s"
          .formatted(Text.show(row), what, range.equals(TimeRange.ALL) ? "" : " in " + range);
    }
  }
}
