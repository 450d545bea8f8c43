package dev.cairn.shell.console;

import dev.cairn.shell.run.Session;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;

/**
 * Provides the names of tables and families for completion. Another thread asks the server, and
 * completion waits a second at most. A later answer is used at the next Tab. While the server does
 * not answer, there are no names. Used by one thread.
 */
final class SchemaNames {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int WAIT_MILLIS = 1_000;

  private final Session session;
  private final Lookup tables;
  private final Map<String, Lookup> families = new HashMap<>();

  SchemaNames(Session session) {
    this.session = session;
    this.tables = new Lookup(this::readTables);
  }

  /** Returns the names of tables: at most five seconds old, or else the last known ones. */
  List<String> tables() {
    return tables.names();
  }

  /** Returns the families of a table, each followed by a colon. */
  List<String> families(String table) {
    return families.computeIfAbsent(table, name -> new Lookup(() -> readFamilies(name))).names();
  }

  private List<String> readTables() throws IOException {
    return Arrays.stream(session.admin().listTableNames()).map(TableName::getNameAsString).toList();
  }

  private List<String> readFamilies(String table) throws IOException {
    return Stream.of(session.admin().getDescriptor(TableName.valueOf(table)).getColumnFamilies())
        .map(ColumnFamilyDescriptor::getNameAsString)
        .flatMap(family -> Stream.of(family, family + ":"))
        .toList();
  }

  /** Asks the server. */
  private interface Question {
    List<String> ask() throws IOException;
  }

  /** A question and its last answer. A failure is an answer without names. */
  private static final class Lookup {
    private final Question question;
    private FutureTask<List<String>> task;
    private long answeredAt;
    private List<String> names = List.of();
    private boolean asking;

    Lookup(Question question) {
      this.question = question;
      this.answeredAt = System.nanoTime() - FRESH_NANOS;
      this.task = new FutureTask<>(List::of);
    }

    List<String> names() {
      if (!asking && System.nanoTime() - answeredAt >= FRESH_NANOS) {
        task = new FutureTask<>(question::ask);
        asking = true;
        Thread thread = new Thread(task, "completion");
        thread.setDaemon(true);
        thread.start();
        await(WAIT_MILLIS);
      } else if (asking) {
        await(0);
      }
      return names;
    }

    private void await(int millis) {
      try {
        names = task.get(millis, TimeUnit.MILLISECONDS);
        answered();
      } catch (ExecutionException e) {
        names = List.of(); // the next command reports the problem
        answered();
      } catch (TimeoutException e) {
        // The server may have answered when Tab is next pressed.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void answered() {
      asking = false;
      answeredAt = System.nanoTime();
    }
  }
}
