package dev.cairn.interop.filter;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a server said to a read, in a form that can be compared and printed: its results, each a
 * list of cells, or the class of the exception.
 */
record Answer(List<List<String>> results, String error, String message) {
  static Answer of(List<Result> results) {
    List<List<String>> texts = new ArrayList<>();
    for (Result result : results) {
      List<String> cells = new ArrayList<>();
      if (result.getExists() != null) {
        cells.add("exists: " + result.getExists());
      }
      for (Cell cell : result.rawCells()) {
        cells.add(text(cell));
      }
      texts.add(cells);
    }
    return new Answer(texts, "", "");
  }

  static Answer of(Exception failure) {
    Throwable cause = failure;
    while (cause instanceof RetriesExhaustedException && cause.getCause() != null
        || cause.getClass() == IOException.class && cause.getCause() instanceof IOException) {
      cause = cause.getCause();
    }
    return new Answer(List.of(), cause.getClass().getName(), String.valueOf(cause.getMessage()));
  }

  /** Returns the answer as one long result: for reads that may be cut anywhere. */
  Answer joined() {
    List<String> all = new ArrayList<>();
    results.forEach(all::addAll);
    return new Answer(List.of(all), error, message);
  }

  /** Tells whether two servers said the same; the wording of errors is each one's own. */
  boolean agreesWith(Answer other) {
    return results.equals(other.results) && error.equals(other.error);
  }

  @Override
  public String toString() {
    if (!error.isEmpty()) {
      return error + ": " + message.lines().findFirst().orElse("");
    }
    StringBuilder text = new StringBuilder().append(results.size()).append(" results");
    for (List<String> result : results) {
      text.append("\n    ").append(String.join("\n      ", result));
    }
    return text.toString();
  }

  private static String text(Cell cell) {
    return Bytes.toStringBinary(CellUtil.cloneRow(cell))
        + "/"
        + Bytes.toStringBinary(CellUtil.cloneFamily(cell))
        + ":"
        + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
        + "/"
        + cell.getTimestamp()
        + "/"
        + cell.getType()
        + "="
        + Bytes.toStringBinary(CellUtil.cloneValue(cell));
  }
}
