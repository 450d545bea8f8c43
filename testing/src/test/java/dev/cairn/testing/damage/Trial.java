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
 * Starts a server on a folder with one damaged file, reads everything, and says what it came to.
 *
 * @param folder the folder
 * @param file the file that is damaged, relative to the folder
 * @param expected what each table holds
 */
record Trial(Path folder, String file, Map<TableName, SortedMap<String, String>> expected) {

  /** What a damaged file came to, the good outcomes first. */
  enum Outcome {
    /** Everything is served as if nothing had happened. */
    SERVED,
    /** What needs the file refuses and names it; everything else is served. */
    PART_REFUSES,
    /** The server does not start, and its message names the file and what to do. */
    START_REFUSES,
    /** Something refuses, and does not name the file. */
    UNNAMED,
    /** Tables that do not need the file are not served, or several refuse. */
    SPREADS,
    /** A read gave another answer than before. */
    WRONG_ANSWER
  }

  /**
   * What one trial came to.
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

  /** Names the file, or the folder or the region's folder in which it is missed. */
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
