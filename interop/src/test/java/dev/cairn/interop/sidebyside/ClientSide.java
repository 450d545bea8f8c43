package dev.cairn.interop.sidebyside;

import dev.cairn.torture.model.Change;
import dev.cairn.torture.model.Text;
import dev.cairn.torture.model.Version;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;

/** Sends steps to one table of a server through Apache's client. One thread. */
final class ClientSide {
  private final Table table;
  private final Table reads;
  private final Moments moments;
  private final ClientRequests requests;

  /**
   * Creates a side.
   *
   * @param reads the same table, for gets and scans
   * @param base the time of the step with number 0
   */
  ClientSide(Table table, Table reads, long base) {
    this.table = table;
    this.reads = reads;
    this.moments = new Moments(base);
    this.requests = new ClientRequests(moments);
  }

  /** Does a step, the {@code number}-th, and returns the answer. */
  Answer run(long number, Step.Request step) {
    moments.begin(number);
    List<Object> found = new ArrayList<>();
    try {
      collect(step, found);
    } catch (RetriesExhaustedWithDetailsException e) {
      // One for each part of what failed as a whole.
      e.getCauses().stream().map(ClientSide::failure).distinct().forEach(found::add);
    } catch (UncheckedIOException e) {
      found.add(e.getCause());
    } catch (Exception e) {
      found.add(e);
    } finally {
      moments.end();
    }
    boolean reads =
        step instanceof Step.Get || step instanceof Step.Gets || step instanceof Step.Scan;
    List<String> lines = new ArrayList<>();
    found.forEach(one -> lines.add(line(one, !reads)));
    return new Answer(lines);
  }

  /** Returns all cells of the table, deleted or not, row by row. */
  List<Result> everything() throws IOException {
    List<Result> rows = new ArrayList<>();
    try (ResultScanner scanner =
        table.getScanner(
            new org.apache.hadoop.hbase.client.Scan().setRaw(true).readAllVersions())) {
      scanner.forEach(rows::add);
    }
    return rows;
  }

  private void collect(Step.Request step, List<Object> out) throws Exception {
    if (step instanceof Step.Get get) {
      out.add(get.existence() ? reads.exists(requests.get(get)) : reads.get(requests.get(get)));
    } else if (step instanceof Step.Gets gets) {
      gets(gets, out);
    } else if (step instanceof Step.Scan scan) {
      scan(scan, out);
    } else if (step instanceof Step.Write write) {
      write(write, out);
    } else if (step instanceof Step.Writes writes) {
      writes(writes, out);
    } else if (step instanceof Step.Together together) {
      out.add(table.mutateRow(requests.together(together.changes())));
    } else if (step instanceof Step.CheckAndChange check) {
      out.add(check.old() ? oldCheck(check) : table.checkAndMutate(requests.check(check)));
    } else if (step instanceof Step.Checks checks) {
      List<CheckAndMutate> all = new ArrayList<>();
      for (Step.CheckAndChange check : checks.parts()) {
        all.add(requests.check(check));
      }
      out.addAll(table.checkAndMutate(all));
    } else if (step instanceof Step.Batch batch) {
      batch(batch, out);
    } else if (step instanceof Step.Misuse misuse) {
      misuse.mistake().make(table, Text.bytes(misuse.row()));
      out.add("not refused");
    }
  }

  private void gets(Step.Gets gets, List<Object> out) throws IOException {
    List<Get> all = new ArrayList<>();
    for (Step.Get get : gets.gets()) {
      all.add(requests.get(get));
    }
    if (!gets.existence()) {
      out.addAll(List.of(reads.get(all)));
      return;
    }
    for (boolean exists : reads.exists(all)) {
      out.add(exists);
    }
  }

  private void writes(Step.Writes writes, List<Object> out) throws IOException {
    List<Mutation> all = new ArrayList<>();
    for (Change change : writes.changes()) {
      all.add(requests.mutation(change));
    }
    if (all.get(0) instanceof Put) {
      table.put(all.stream().map(Put.class::cast).toList());
    } else {
      // The client takes out of the list what is done.
      table.delete(new ArrayList<>(all.stream().map(Delete.class::cast).toList()));
    }
    out.add("done");
  }

  private void scan(Step.Scan step, List<Object> out) throws IOException {
    List<Cell> row = new ArrayList<>();
    try (ResultScanner scanner = reads.getScanner(requests.scan(step))) {
      for (Result result : scanner) {
        if (result.isCursor()) {
          continue; // how often they come depends on time
        }
        if (!step.hints().partial()) {
          out.add(result);
          continue;
        }
        // Where rows are cut depends on sizes in memory.
        if (!row.isEmpty() && !CellUtil.matchingRows(row.get(0), result.rawCells()[0])) {
          out.add(Result.create(row));
          row.clear();
        }
        row.addAll(result.listCells());
      }
    }
    if (!row.isEmpty()) {
      out.add(Result.create(row));
    }
  }

  private void write(Step.Write step, List<Object> out) throws IOException {
    Mutation mutation = requests.mutation(step.change());
    if (mutation instanceof Increment increment) {
      out.add(table.increment(increment));
    } else if (mutation instanceof Append append) {
      out.add(table.append(append));
    } else if (mutation instanceof Put put) {
      table.put(put);
      out.add("done");
    } else {
      table.delete((Delete) mutation);
      out.add("done");
    }
  }

  @SuppressWarnings("deprecation")
  private Boolean oldCheck(Step.CheckAndChange step) throws IOException {
    Step.Check check = step.check();
    Table.CheckAndMutateBuilder builder =
        table
            .checkAndMutate(Text.bytes(check.row()), Text.bytes(check.family()))
            .qualifier(Text.bytes(check.qualifier()));
    builder =
        check.value().isPresent()
            ? builder.ifMatches(check.operator(), Text.bytes(check.value().get()))
            : builder.ifNotExists();
    builder = builder.timeRange(requests.range(check.range()));
    if (step.changes().size() > 1) {
      return builder.thenMutate(requests.together(step.changes()));
    }
    return requests.mutation(step.changes().get(0)) instanceof Put put
        ? builder.thenPut(put)
        : builder.thenDelete((Delete) requests.mutation(step.changes().get(0)));
  }

  private void batch(Step.Batch batch, List<Object> out) throws Exception {
    List<Row> rows = new ArrayList<>();
    for (Step.Part part : batch.parts()) {
      if (part instanceof Step.Get get) {
        rows.add(requests.get(get));
      } else if (part instanceof Step.Write write) {
        rows.add(requests.mutation(write.change()));
      } else if (part instanceof Step.Together together) {
        rows.add(requests.together(together.changes()));
      } else if (part instanceof Step.CheckAndChange check) {
        rows.add(requests.check(check));
      }
    }
    Object[] results = new Object[rows.size()];
    try {
      table.batch(rows, results);
    } catch (RetriesExhaustedWithDetailsException e) {
      // Each failure stands in its place.
    }
    for (int i = 0; i < results.length; i++) {
      boolean silent =
          results[i] instanceof Result result
              && result.isEmpty()
              && !(rows.get(i) instanceof Get)
              && !(rows.get(i) instanceof RowMutations);
      out.add(silent ? "done" : line(results[i], !(rows.get(i) instanceof Get)));
    }
  }

  private String line(Object answer, boolean ofChanges) {
    if (answer instanceof Result result) {
      if (result.isEmpty() && result.getExists() != null) {
        return "exists " + result.getExists();
      }
      if (result.isEmpty()) {
        return "empty";
      }
      String row = Text.of(result.getRow());
      return ofChanges ? Answer.resultLine(row, cells(result)) : Answer.line(row, cells(result));
    }
    if (answer instanceof CheckAndMutateResult result) {
      boolean silent = result.getResult() == null || result.getResult().isEmpty();
      return result.isSuccess() + (silent ? "" : " " + line(result.getResult(), true));
    }
    return answer instanceof Throwable failure ? failure(failure) : String.valueOf(answer);
  }

  private static String failure(Throwable failure) {
    return Answer.failure(failure.getClass().getName());
  }

  /** Returns the cells of a result, at the steps' times. */
  List<Version> cells(Result result) {
    List<Version> cells = new ArrayList<>();
    for (Cell cell : result.rawCells()) {
      Version version = KeyValueOfRow.version(cell);
      cells.add(
          Version.of(
              version.family(),
              version.qualifier(),
              moments.shown(version.timestamp()),
              version.type(),
              version.value(),
              version.tags()));
    }
    return cells;
  }
}
