package dev.cairn.server.advise;

import dev.cairn.engine.cell.BinaryText;
import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds filtered scans that look at many rows for each row that they return, and whose filter an
 * index could serve.
 */
final class MissingIndexes implements Check {
  private static final int SCANS_MIN = 30;

  /** Scans use an index if less than a twentieth of the entries match; this leaves some room. */
  private static final double ROWS_PER_RESULT_MIN = 50;

  /** In a smaller range, a scan does not use an index. */
  private static final double ROWS_PER_CALL_MIN = 500;

  /** Each write pays for an index, so it must be worth it. */
  private static final double SHARE_MIN = 0.1;

  /** The scans that filter by the same columns without an index. */
  private static final class Scans {
    private int samples;
    private double calls;
    private double rows;
    private double returned;
    private double nanos;

    void add(LoadSample call) {
      samples++;
      calls += call.requests();
      rows += call.rows();
      returned += call.rows() - call.hidden();
      nanos += call.scanNanos();
    }

    double rowsPerResult() {
      return rows / Math.max(1, returned);
    }

    boolean needIndex(double rowsOfReads) {
      return samples >= SCANS_MIN
          && rowsPerResult() >= ROWS_PER_RESULT_MIN
          && rows >= ROWS_PER_CALL_MIN * calls
          && rows >= SHARE_MIN * rowsOfReads;
    }
  }

  @Override
  public List<Finding> findings(Observation seen) {
    if (seen.samples(call -> true) < Observation.SAMPLES_MIN) {
      return List.of();
    }
    Map<String, Scans> byColumns = new TreeMap<>();
    Map<String, List<String>> columns = new TreeMap<>();
    double rows = 0;
    double nanos = 0;
    for (LoadSample call : seen.calls().toList()) {
      rows += call.kind() == Kind.WRITE ? 0 : call.rows();
      nanos += call.nanos() + call.scanNanos();
      List<String> wanted = withoutIndex(call.searched(), seen.facts().schema());
      if (call.kind() == Kind.SCAN && !wanted.isEmpty()) {
        String key = String.join(", ", wanted);
        columns.put(key, wanted);
        byColumns.computeIfAbsent(key, any -> new Scans()).add(call);
      }
    }
    List<Finding> findings = new ArrayList<>();
    for (Map.Entry<String, Scans> one : byColumns.entrySet()) {
      if (one.getValue().needIndex(rows)) {
        findings.add(finding(seen, columns.get(one.getKey()), one.getValue(), rows, nanos));
      }
    }
    return findings;
  }

  /** Returns the columns that can have an index and have none. */
  private static List<String> withoutIndex(List<String> searched, TableSchema schema) {
    return searched.stream()
        .filter(column -> canHaveIndex(column, schema))
        .filter(
            column ->
                schema.indexes().all().stream()
                    .flatMap(index -> index.columns().stream())
                    .noneMatch(indexed -> indexed.toString().equals(column)))
        .toList();
  }

  private static boolean canHaveIndex(String column, TableSchema schema) {
    Optional<FamilySchema> family =
        schema.family(BinaryText.parse(column.substring(0, column.indexOf(':'))));
    return family.isPresent()
        && !family.get().isMob()
        && schema.indexes().columns(family.get().name()).count() < TableIndexes.COLUMNS_MAX;
  }

  private static Finding finding(
      Observation seen, List<String> columns, Scans scans, double rows, double nanos) {
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(Evidence.count("sampled calls of such scans", scans.samples));
    evidence.add(Evidence.count("rows looked at for each row returned", scans.rowsPerResult()));
    evidence.add(Evidence.share("their share of the rows that reads look at", scans.rows / rows));
    if (scans.nanos > 0) {
      evidence.add(
          Evidence.share("their share of the processor time of all calls", scans.nanos / nanos));
    }
    String names = String.join(" and ", columns);
    return new Finding(
        Rule.MISSING_INDEX,
        String.format(
            Locale.ROOT,
            "Scans filter by %s, which no index has: they look at %,.0f rows for each row that they"
                + " return.",
            names,
            scans.rowsPerResult()),
        evidence,
        List.of(
            new Proposal(
                "Create an index of "
                    + names
                    + ". Scans with such filters then read only the rows that may match; each write"
                    + " of "
                    + (columns.size() == 1 ? "the column" : "these columns")
                    + " costs a little more, and store files grow by the indexed values and rows.",
                List.of(command(seen.facts().schema(), columns)),
                new Effect(
                    "rows looked at for each row returned",
                    Effect.Unit.COUNT,
                    scans.rowsPerResult(),
                    1))));
  }

  private static String command(TableSchema schema, List<String> columns) {
    String name =
        "by_"
            + columns.stream()
                .map(column -> column.substring(column.indexOf(':') + 1))
                .map(qualifier -> qualifier.replaceAll("[^A-Za-z0-9_-]+", "_"))
                .collect(Collectors.joining("_"));
    String free = name;
    for (int i = 2; isTaken(free, schema); i++) {
      free = name + "_" + i;
    }
    return ShellText.createIndex(
        schema, free, columns.stream().map(MissingIndexes::bytes).toList());
  }

  private static boolean isTaken(String name, TableSchema schema) {
    return schema.attribute(TableIndexes.PREFIX + name).isPresent();
  }

  /** Returns the bytes of a column's name, which samples have as indexes write it. */
  private static byte[] bytes(String column) {
    int colon = column.indexOf(':');
    byte[] family = BinaryText.parse(column.substring(0, colon));
    byte[] qualifier = BinaryText.parse(column.substring(colon + 1));
    return Bytes.concat(Bytes.concat(family, Bytes.utf8(":")), qualifier);
  }
}
