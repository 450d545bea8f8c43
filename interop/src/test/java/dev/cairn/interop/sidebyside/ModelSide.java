package dev.cairn.interop.sidebyside;

import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.torture.model.Change;
import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.ReferenceTable;
import dev.cairn.torture.model.Text;
import dev.cairn.torture.model.Version;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.filter.Filter;

/** Tells what the answer to each step has to be. One thread. */
final class ModelSide {
  private static final String IMPOSSIBLE =
      Answer.failure("org.apache.hadoop.hbase.DoNotRetryIOException");

  private final ReferenceTable table;
  private final long base;

  /**
   * Creates an empty table.
   *
   * @param base the time of the step with number 0
   */
  ModelSide(TableSchema schema, long base) {
    this.table = new ReferenceTable(schema);
    this.base = base;
  }

  /** Returns the table. */
  ReferenceTable table() {
    return table;
  }

  /** Does a step, the {@code number}-th; returns the answer, or nothing if the model has none. */
  Optional<Answer> run(long number, Step.Request step) throws IOException {
    if (step instanceof Step.Misuse) {
      return Optional.empty();
    }
    List<String> lines = new ArrayList<>();
    collect(step, base + number, lines);
    return Optional.of(new Answer(lines));
  }

  private void collect(Step.Request step, long now, List<String> out) throws IOException {
    if (step instanceof Step.Part part) {
      out.add(part(part, now, false));
    } else if (step instanceof Step.Gets gets) {
      for (Step.Get get : gets.gets()) {
        String line = part(get, now, false);
        out.add(gets.existence() ? Boolean.toString(!line.equals("empty")) : line);
      }
    } else if (step instanceof Step.Scan scan) {
      scan(scan, now, out);
    } else if (step instanceof Step.Writes writes) {
      writes.changes().forEach(change -> table.write(List.of(change), now, 0));
      out.add("done");
    } else if (step instanceof Step.Checks checks) {
      for (Step.CheckAndChange check : checks.parts()) {
        out.add(part(check, now, false));
      }
      if (out.contains(IMPOSSIBLE)) {
        // The client says nothing about the others, which are done all the same.
        out.retainAll(List.of(IMPOSSIBLE));
        out.subList(1, out.size()).clear();
      }
    } else if (step instanceof Step.Batch batch) {
      for (Step.Part part : batch.parts()) {
        out.add(part(part, now, true));
      }
    }
  }

  private String part(Step.Part part, long now, boolean batched) throws IOException {
    if (part instanceof Step.Get get) {
      Map<String, List<Version>> rows = read(get.query(), get.sieve(), now);
      if (get.existence()) {
        return batched ? "exists " + !rows.isEmpty() : Boolean.toString(!rows.isEmpty());
      }
      return rows.isEmpty()
          ? "empty"
          : Answer.line(get.query().start(), rows.get(get.query().start()));
    }
    if (part instanceof Step.Write write) {
      Change change = write.change();
      boolean silent = change.kind() == Kind.PUT || change.kind() == Kind.DELETE;
      return changed(
          table.write(List.of(change), now, 0), change.row(), silent || batched ? "done" : "empty");
    }
    if (part instanceof Step.Together together) {
      return changed(
          table.write(together.changes(), now, 0), together.changes().get(0).row(), "exists true");
    }
    return check((Step.CheckAndChange) part, now);
  }

  private static String changed(Optional<List<Version>> result, String row, String silent) {
    return result
        .map(cells -> cells.isEmpty() ? silent : Answer.resultLine(row, cells))
        .orElse(IMPOSSIBLE);
  }

  private String check(Step.CheckAndChange step, long now) throws IOException {
    Step.Check check = step.check();
    Query read =
        check.sieve().isPresent()
            ? ReferenceTable.row(check.row(), check.range())
            : ReferenceTable.column(check.row(), check.family(), check.qualifier(), check.range());
    List<Version> found = read(read, check.sieve(), now).getOrDefault(check.row(), List.of());
    if (!holds(check, found)) {
      return "false";
    }
    long seen = found.isEmpty() ? 0 : found.get(0).timestamp();
    return table
        .write(step.changes(), now, seen)
        .map(
            cells ->
                "true"
                    + (cells.isEmpty() || step.old()
                        ? ""
                        : " " + Answer.resultLine(check.row(), cells)))
        .orElse(IMPOSSIBLE);
  }

  private static boolean holds(Step.Check check, List<Version> found) {
    if (check.sieve().isPresent()) {
      return !found.isEmpty();
    }
    if (check.value().isEmpty() || check.value().get().isEmpty()) {
      boolean nothing = found.isEmpty() || found.get(0).value().isEmpty();
      return nothing == (check.operator() != org.apache.hadoop.hbase.CompareOperator.NOT_EQUAL);
    }
    if (found.isEmpty()) {
      return false;
    }
    int order = check.value().get().compareTo(found.get(0).value());
    return switch (check.operator()) {
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case GREATER_OR_EQUAL -> order >= 0;
      case GREATER -> order > 0;
      case NO_OP -> throw new IllegalArgumentException(check.toString());
    };
  }

  private void scan(Step.Scan scan, long now, List<String> out) throws IOException {
    int rows = 0;
    for (Map.Entry<String, List<Version>> row : read(scan.query(), scan.sieve(), now).entrySet()) {
      if (scan.hints().rows() > 0 && ++rows > scan.hints().rows()) {
        return;
      }
      List<Version> cells = row.getValue();
      int batch =
          scan.hints().batch() > 0 && !scan.hints().partial() ? scan.hints().batch() : cells.size();
      for (int from = 0; from < cells.size(); from += batch) {
        int to = Math.min(cells.size(), from + batch);
        out.add(Answer.line(row.getKey(), cells.subList(from, to)));
      }
    }
  }

  private Map<String, List<Version>> read(Query query, Optional<Sieve> sieve, long now)
      throws IOException {
    if (sieve.isEmpty()) {
      return table.read(query, now);
    }
    Query all = query.allVersions();
    Map<String, List<Version>> candidates = table.read(all, now);
    Filter filter = sieve.get().maker().get();
    filter.setReversed(query.reversed());
    FilteredRows filtered = new FilteredRows(filter, query);
    Map<String, List<Version>> found = new LinkedHashMap<>();
    for (String row : table.rowsOf(query)) {
      if (filtered.isOver()) {
        break;
      }
      List<Version> cells = filtered.row(row, candidates.getOrDefault(row, List.of()));
      if (!cells.isEmpty()) {
        found.put(row, cells);
      }
    }
    return found;
  }

  /** Returns what is known of all rows, for people. */
  String describe() {
    StringBuilder text = new StringBuilder();
    for (String row : table.rowsOf(Query.ALL_VERSIONS)) {
      text.append("  ").append(Text.show(row)).append("\n");
      table.past(row).forEach(version -> text.append("    ").append(version).append("\n"));
    }
    return text.toString();
  }
}
