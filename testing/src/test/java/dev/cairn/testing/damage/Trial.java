package dev.cairn.testing.damage;

import dev.cairn.server.process.CairnProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Starts a server on a folder with one damaged file, reads all tables, and returns the outcome.
 *
 * @param folder the folder
 * @param file the damaged file, relative to the folder
 * @param expected the cells of each table
 */
record Trial(Path folder, String file, Map<TableName, SortedMap<String, String>> expected) {

  /** The outcomes, good ones first. */
  enum Outcome {
    /** The server serves everything correctly. */
    SERVED,
    /** Requests that need the file fail with its name; the server serves everything else. */
    PART_REFUSES,
    /** The server does not start; its message names the file and the remedy. */
    START_REFUSES,
    /** An error does not name the file. */
    UNNAMED,
    /** Tables that do not need the file fail, or several tables fail. */
    SPREADS,
    /** A read returned wrong cells. */
    WRONG_ANSWER
  }

  /**
   * The result of one trial.
   *
   * @param told the messages
   */
  record Result(Outcome outcome, String told) {}

  Result run() throws IOException {
    CairnProcess server;
    try {
      server = SampleFolder.start(folder);
    } catch (IOException e) {
      String told = String.valueOf(e.getMessage());
      return new Result(
          names(told) && told.contains("ring the file back") || told.contains("Restore the file")
              ? Outcome.START_REFUSES
              : Outcome.UNNAMED,
          told);
    }
    try (Connection connection = ConnectionFactory.createConnection(SampleFolder.client(server))) {
      return read(connection);
    } finally {
      server.close();
    }
  }

  private Result read(Connection connection) {
    Map<TableName, String> refused = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    for (TableName table : SampleFolder.TABLES) {
      try {
        SortedMap<String, String> cells = SampleFolder.read(connection, table);
        if (!cells.equals(expected.get(table))) {
          wrong.add(
              table + " has " + cells.size() + " cells instead of " + expected.get(table).size());
        }
      } catch (IOException | RuntimeException e) {
        String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        refused.put(table, e.getClass().getSimpleName() + ": " + first);
        if (!(e instanceof DoNotRetryIOException)) {
          refused.put(table, "not at once: " + e);
        }
      }
    }
    if (!wrong.isEmpty()) {
      return new Result(Outcome.WRONG_ANSWER, wrong.toString());
    }
    if (refused.isEmpty()) {
      return new Result(Outcome.SERVED, "");
    }
    if (refused.size() > 1) {
      return new Result(Outcome.SPREADS, refused.toString());
    }
    String told = refused.values().iterator().next();
    return new Result(
        names(told) && !told.startsWith("not at once") ? Outcome.PART_REFUSES : Outcome.UNNAMED,
        told);
  }

  /** Tells whether a message names the file, its folder, or its region's folder. */
  private boolean names(String told) {
    Path path = Path.of(file);
    if (told.contains(path.getFileName().toString())) {
      return true;
    }
    int parts = path.getNameCount();
    return parts > 1 && told.contains(path.getParent().toString())
        || parts > 3 && told.contains(path.getParent().getParent().toString());
  }
}
