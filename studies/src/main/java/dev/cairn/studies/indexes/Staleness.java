package dev.cairn.studies.indexes;

import dev.cairn.studies.FactWriter;
import dev.cairn.studies.Figure;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Measures for how long queries are wrong after a row has changed. A user moves from one city to
 * another, while a reader asks for the row and for the users of both cities, in turns. A query is
 * wrong if it began after the reader had seen the changed row, and has the user in the old city or
 * lacks it in the new one.
 */
final class Staleness {
  /** As many moves show a window of half a millisecond. */
  static final int MOVES = 100;

  private static final long TIME_NANOS = 10_000_000_000L;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final String FROM = "from";
  private static final String TO = "to";

  private final Pattern pattern;
  private final Connection connection;
  private final int movesMax;

  /** The number of the next move. */
  private long number;

  private final Window missed = new Window();
  private final Window old = new Window();
  private int wrong;
  private int moves;

  /**
   * Creates it.
   *
   * @param count of the moves that are stored
   * @param movesMax how many users move, if the time suffices
   */
  Staleness(Pattern pattern, Connection connection, long count, int movesMax) {
    this.pattern = pattern;
    this.connection = connection;
    this.number = count;
    this.movesMax = movesMax;
  }

  /** The time in which one kind of query is wrong. */
  private static final class Window {
    private boolean open;
    private long longestNanos;

    /**
     * Notes a query.
     *
     * @param nanos when it began, since the row had changed
     */
    void add(boolean isWrong, long nanos) {
      if (open && !isWrong) {
        longestNanos = Math.max(longestNanos, nanos);
      }
      open = isWrong;
    }

    /** Returns the longest time from the change to the first query that was right again. */
    double millis() {
      return longestNanos / NANOS_PER_MILLI;
    }
  }

  /** Moves users, and repairs the index. */
  List<Figure> figures() throws IOException {
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try (Table table = connection.getTable(UserTable.NAME)) {
      long begin = System.nanoTime();
      while (moves == 0 || (moves < movesMax && System.nanoTime() - begin < TIME_NANOS)) {
        move(table, writer);
        moves++;
      }
    } finally {
      writer.shutdownNow();
    }
    long begin = System.nanoTime();
    pattern.repair(connection, Long.MAX_VALUE);
    double repair = Math.round((System.nanoTime() - begin) / NANOS_PER_MILLI) / MILLIS_PER_SECOND;
    return List.of(
        new Figure("moves with wrong answers, %", 100.0 * wrong / moves),
        new Figure("row missed for, ms", missed.millis()),
        new Figure("old row for, ms", old.millis()),
        new Figure("repair, s", repair));
  }

  private void move(Table table, ExecutorService thread) throws IOException {
    String user = "visitor" + number;
    write(new Move(number++, user, Optional.of(FROM)));
    if (pattern.needsMaintenance()) {
      pattern.maintain(connection);
    }
    Move move = new Move(number++, user, Optional.of(TO));
    Future<?> written =
        thread.submit(
            () -> {
              write(move);
              return null;
            });
    watch(table, user, written);
    write(new Move(number++, user, Optional.empty()));
  }

  private void write(Move move) throws IOException {
    try (FactWriter<Move> writer = pattern.writer(connection)) {
      writer.write(move);
    }
  }

  private void watch(Table table, String user, Future<?> written) throws IOException {
    while (!hasMoved(table, user)) {
      if (written.isDone()) {
        await(written);
      }
    }
    long moved = System.nanoTime();
    boolean anyWrong = false;
    boolean right = false;
    while (!right || !written.isDone()) {
      boolean acknowledged = written.isDone();
      long begin = System.nanoTime();
      boolean misses = !has(TO, user);
      missed.add(misses, begin - moved);
      begin = System.nanoTime();
      boolean hasOld = has(FROM, user);
      old.add(hasOld, begin - moved);
      right = !misses && !hasOld;
      anyWrong |= !right;
      if (!right && acknowledged) {
        // Nothing but the job mends it now.
        pattern.maintain(connection);
      }
    }
    await(written);
    wrong += anyWrong ? 1 : 0;
  }

  private static boolean hasMoved(Table table, String user) throws IOException {
    Get get = new Get(Bytes.toBytes(user)).addColumn(UserTable.FAMILY, UserTable.CITY);
    return UserTable.Home.of(table.get(get)).filter(home -> home.city().equals(TO)).isPresent();
  }

  private boolean has(String city, String user) throws IOException {
    return pattern.users(connection, city).stream().anyMatch(one -> one.id().equals(user));
  }

  private static void await(Future<?> written) throws IOException {
    try {
      written.get();
    } catch (ExecutionException e) {
      throw new IOException("a move cannot be written", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException().initCause(e);
    }
  }
}
