package dev.cairn.torture.model;

import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.scan.ScanFilter;
import dev.cairn.server.filter.FilterAdapter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;

/**
 * A filter of HBase on the values of columns: what it lets pass, said a second time.
 *
 * @param tests the tests; one if {@code judges} is {@link Judges#CELLS}
 * @param judges what it lets pass
 * @param hint whether the scan uses indexes
 */
public record ValueFilter(List<Test> tests, Judges judges, IndexHint hint) {
  /** What a filter lets pass. */
  public enum Judges {
    /** Rows that fulfil all tests. */
    ROWS_BY_ALL,
    /** Rows that fulfil one of the tests. */
    ROWS_BY_ANY,
    /** Cells that fulfil the test. */
    CELLS
  }

  /**
   * A test of a column.
   *
   * @param prefix whether only the beginning of the value is compared
   * @param latest whether only the latest version that the scan sees is tested, for rows
   * @param ifMissing whether rows pass that have no such cell
   */
  public record Test(
      String family,
      String qualifier,
      CompareOperator operator,
      boolean prefix,
      String value,
      boolean latest,
      boolean ifMissing) {
    private Test with(String other) {
      return new Test(family, qualifier, operator, prefix, other, latest, ifMissing);
    }

    private boolean isOf(Version cell) {
      return cell.family().equals(family) && cell.qualifier().equals(qualifier);
    }

    private boolean holds(Version cell) {
      String compared =
          prefix && cell.value().length() > value.length()
              ? cell.value().substring(0, value.length())
              : cell.value();
      int order = compared.compareTo(value);
      return switch (operator) {
        case LESS -> order < 0;
        case LESS_OR_EQUAL -> order <= 0;
        case EQUAL -> order == 0;
        case NOT_EQUAL -> order != 0;
        case GREATER_OR_EQUAL -> order >= 0;
        case GREATER -> order > 0;
        case NO_OP -> false;
      };
    }

    private boolean holds(List<Version> row) {
      List<Version> column = row.stream().filter(this::isOf).toList();
      if (column.isEmpty()) {
        return ifMissing;
      }
      return (latest ? column.subList(0, 1) : column).stream().anyMatch(this::holds);
    }

    private ByteArrayComparable comparator() {
      return prefix
          ? new BinaryPrefixComparator(Text.bytes(value))
          : new BinaryComparator(Text.bytes(value));
    }

    private Filter ofRows() {
      SingleColumnValueFilter filter =
          new SingleColumnValueFilter(
              Text.bytes(family), Text.bytes(qualifier), operator, comparator());
      filter.setLatestVersionOnly(latest);
      filter.setFilterIfMissing(!ifMissing);
      return filter;
    }

    private Filter ofCells() {
      return new ColumnValueFilter(
          Text.bytes(family), Text.bytes(qualifier), operator, comparator());
    }

    @Override
    public String toString() {
      return "%s:%s %s %s%s%s%s"
          .formatted(
              family,
              Text.show(qualifier),
              operator,
              Text.show(value),
              prefix ? "*" : "",
              latest ? "" : " in any version",
              ifMissing ? " or missing" : "");
    }
  }

  /** Copies the list. */
  public ValueFilter {
    tests = List.copyOf(tests);
  }

  /**
   * Returns this with other values to compare with, so that tests hold for some rows.
   *
   * @param values values of the column of a test; empty to leave its value as it is
   */
  public ValueFilter aimed(Function<Test, List<String>> values, RandomGenerator random) {
    List<Test> aimed = new ArrayList<>();
    for (Test test : tests) {
      List<String> all = values.apply(test);
      aimed.add(all.isEmpty() ? test : test.with(all.get(random.nextInt(all.size()))));
    }
    return new ValueFilter(aimed, judges, hint);
  }

  /** Returns this with another hint. */
  public ValueFilter with(IndexHint other) {
    return new ValueFilter(tests, judges, other);
  }

  /** Returns the filter that the engine asks, for one read. */
  ScanFilter engine(boolean reversed) {
    try {
      return new FilterAdapter(hbase(), reversed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Filter hbase() {
    if (judges == Judges.CELLS) {
      return tests.get(0).ofCells();
    }
    FilterList list =
        new FilterList(
            judges == Judges.ROWS_BY_ALL
                ? FilterList.Operator.MUST_PASS_ALL
                : FilterList.Operator.MUST_PASS_ONE);
    tests.forEach(test -> list.addFilter(test.ofRows()));
    return tests.size() == 1 ? tests.get(0).ofRows() : list;
  }

  /**
   * Returns the query whose answer {@link #of} takes. A filter is shown the versions of a column
   * down to the first one beyond those that the query wants of what the filter takes.
   */
  Query source(Query query) {
    Query all = query.unfiltered();
    return judges == Judges.CELLS || query.maxVersions() == Integer.MAX_VALUE
        ? all.allVersions()
        : all.versions(query.maxVersions() + 1);
  }

  /**
   * Returns what passes of a row.
   *
   * @param row the answer to the {@link #source} of the query
   * @param maxVersions the number of versions that the query wants of each column
   */
  List<Version> of(List<Version> row, int maxVersions) {
    List<Version> passed =
        switch (judges) {
          case CELLS ->
              row.stream().filter(tests.get(0)::isOf).filter(tests.get(0)::holds).toList();
          case ROWS_BY_ALL -> tests.stream().allMatch(test -> test.holds(row)) ? row : List.of();
          case ROWS_BY_ANY -> tests.stream().anyMatch(test -> test.holds(row)) ? row : List.of();
        };
    Map<String, Integer> versions = new HashMap<>();
    List<Version> wanted = new ArrayList<>();
    for (Version cell : passed) {
      String column = cell.family() + ":" + cell.qualifier();
      if (versions.merge(column, 1, Integer::sum) <= maxVersions) {
        wanted.add(cell);
      }
    }
    return wanted;
  }

  @Override
  public String toString() {
    return judges + " " + tests + " index " + hint;
  }
}
