package dev.cairn.shell.run;

import dev.cairn.shell.output.Output;
import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/**
 * The state shared by commands: the connection to the server, the output, and the source of answers
 * to questions. The first command that needs the connection opens it. Used by one thread at a time.
 */
public final class Session implements Closeable {
  private final Connector connector;
  private final Output output;
  private final Answers answers;
  private final Progress progress;
  private final Supplier<Clock> clock;
  private Optional<Connection> connection = Optional.empty();
  private Optional<Admin> admin = Optional.empty();

  /** Opens connections. */
  @FunctionalInterface
  public interface Connector {
    /**
     * Returns a new connection.
     *
     * @throws IOException if no server can be found
     */
    Connection connect() throws IOException;
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

  /** Returns the connection, which the session closes. */
  public Connection connection() throws IOException {
    if (connection.isEmpty()) {
      connection = Optional.of(connector.connect());
    }
    return connection.get();
  }

  /** Returns the client for administration, which the session closes. */
  public Admin admin() throws IOException {
    if (admin.isEmpty()) {
      admin = Optional.of(connection().getAdmin());
    }
    return admin.get();
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
