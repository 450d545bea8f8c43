package dev.cairn.interop.filter;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.ipc.RemoteWithExtrasException;
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

  /** Tells whether Cairn's answer is that of HBase; the wording of errors is each one's own. */
  boolean isRightBeside(Answer hbase) {
    if (hbase.isOwnFailure()) {
      return true;
    }
    String expected =
        hbase.isThrownByFilter() ? DoNotRetryIOException.class.getName() : hbase.error;
    return results.equals(hbase.results) && error.equals(expected);
  }

  /** Tells whether HBase does not support what Cairn does. */
  boolean refusesFamiliesOnDemand() {
    return message.contains("Reverse scan with loading CFs on demand is not supported");
  }

  /**
   * HBase fails over hints to a row in files if single columns are asked for, and over a range of
   * rows within a list of which another filter has dropped the row.
   */
  private boolean isOwnFailure() {
    return message.contains("Index 0 out of bounds for length 0")
        || message.contains("Filter$ReturnCode.ordinal()");
  }

  /** What a filter throws lets HBase's client try again in vain; Cairn tells it not to. */
  private boolean isThrownByFilter() {
    return error.equals(RemoteWithExtrasException.class.getName())
        && message.startsWith(IOException.class.getName());
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
