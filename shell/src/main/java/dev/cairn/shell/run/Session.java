package dev.cairn.shell.run;

import dev.cairn.shell.output.Output;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/**
 * The state shared by commands: the connection to the server, the output, and the source of answers
 * to questions. The first command that needs the connection opens it. Any thread may ask for the
 * connection; the rest is for one thread at a time.
 */
public final class Session implements Closeable {

  /** Shows how many rows a long command has read. */
  public interface Progress {
    /** Shows nothing. */
    Progress NONE =
        new Progress() {
          @Override
          public void rows(long count) {}

          @Override
          public void end() {}
        };

    /** Reports that the command has read {@code count} rows. Cheap; called for each row. */
    void rows(long count);

    /** Clears the display. */
    void end();
  }

  private final Connector connector;
  private final Output output;
  private final Answers answers;
  private final Progress progress;
  private final Supplier<Clock> clock;
  private final ReentrantLock opening = new ReentrantLock();
  private Optional<Connection> connection = Optional.empty(); // under the lock
  private Optional<Admin> admin = Optional.empty(); // under the lock

  /** Opens connections. */
  @FunctionalInterface
  public interface Connector {
    /**
     * Returns a new connection.
     *
     * @throws IOException if no server can be found
     */
    Connection connect() throws IOException;

    /** Begins to connect on other threads, if possible. */
    default void begin() {}
  }

  /** Reads the answers to questions. */
  @FunctionalInterface
  public interface Answers {
    /** Returns the next line of the user, or of the script; empty if there is none. */
    Optional<String> next();
  }

  /**
   * Creates a session that has no connection yet.
   *
   * @param clock supplies the time and its zone. Called only by commands that need them, because
   *     the rules of a zone take time to load
   */
  public Session(
      Connector connector,
      Output output,
      Answers answers,
      Progress progress,
      Supplier<Clock> clock) {
    this.connector = connector;
    this.output = output;
    this.answers = answers;
    this.progress = progress;
    this.clock = clock;
  }

  /**
   * Returns the connection. The session closes it.
   *
   * @throws InterruptedIOException if the thread is interrupted while another one connects
   */
  public Connection connection() throws IOException {
    lock();
    try {
      if (connection.isEmpty()) {
        connection = Optional.of(connector.connect());
      }
      return connection.get();
    } finally {
      opening.unlock();
    }
  }

  /**
   * Returns the client for administration. The session closes it.
   *
   * @throws InterruptedIOException if the thread is interrupted while another one connects
   */
  public Admin admin() throws IOException {
    lock();
    try {
      if (admin.isEmpty()) {
        admin = Optional.of(connection().getAdmin());
      }
      return admin.get();
    } finally {
      opening.unlock();
    }
  }

  private void lock() throws InterruptedIOException {
    try {
      opening.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("connecting");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  /** Returns a table, which the caller closes. */
  public Table table(TableName name) throws IOException {
    return connection().getTable(name);
  }

  /** Returns the output of commands. */
  public Output output() {
    return output;
  }

  /** Returns the progress display of long commands. */
  public Progress progress() {
    return progress;
  }

  /** Returns the time and its zone. */
  public Clock clock() {
    return clock.get();
  }

  /**
   * Asks a question; the answer {@code y} means yes.
   *
   * @return whether the answer is yes; false without an answer
   */
  public boolean confirms(String question) {
    output.line(question);
    output.flush();
    return answers
        .next()
        .map(String::trim)
        .filter(answer -> answer.equalsIgnoreCase("y"))
        .isPresent();
  }

  @Override
  public void close() throws IOException {
    if (admin.isPresent()) {
      admin.get().close();
    }
    if (connection.isPresent()) {
      connection.get().close();
    }
  }
}
