package dev.cairn.server.master.table;

import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;

/**
 * Decides whether the coprocessors of tables can run. To read their jars may take long: a file
 * system may not answer. So a handler has a table {@linkplain #examine examined} before it requests
 * a change, and the master's loop only looks {@linkplain #refusal up} what was found. Thread-safe.
 */
public final class CoprocessorVerdicts {
  private static final int KNOWN_MAX = 1000;

  /** How many tables are examined at a time, so that a file system that hangs takes few threads. */
  private static final int EXAMINED_MAX = 4;

  /** Finds that the coprocessors of all tables can run. */
  public static final CoprocessorVerdicts ALL_RUN =
      new CoprocessorVerdicts(schema -> Optional.empty(), name -> false, Runnable::run);

  /**
   * Why the classes that a table names cannot run.
   *
   * @param reason a sentence, without its period
   * @param isServed whether a table that has them nevertheless is served, without their effect
   */
  public record Refusal(String reason, boolean isServed) {}

  private final Function<TableSchema, Optional<Refusal>> judge;
  private final Predicate<String> attributes;
  private final Executor threads;
  private final Duration patience;
  private final Semaphore examined = new Semaphore(EXAMINED_MAX);
  private final Map<List<BytesBytesPair>, Optional<Refusal>> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(
            Map.Entry<List<BytesBytesPair>, Optional<Refusal>> eldest) {
          return size() > KNOWN_MAX;
        }
      };

  /**
   * Creates it.
   *
   * @param judge returns why a table's own classes cannot run; may take long
   * @param attributes tells whether a verdict depends on a table's attribute of this name
   * @param threads runs up to four judgements at a time, which may hang
   */
  public CoprocessorVerdicts(
      Function<TableSchema, Optional<Refusal>> judge,
      Predicate<String> attributes,
      Executor threads) {
    this(judge, attributes, threads, Duration.ofSeconds(30)); // half of the clients' timeout
  }

  CoprocessorVerdicts(
      Function<TableSchema, Optional<Refusal>> judge,
      Predicate<String> attributes,
      Executor threads,
      Duration patience) {
    this.judge = judge;
    this.attributes = attributes;
    this.threads = threads;
    this.patience = patience;
  }

  private List<BytesBytesPair> named(TableSchema schema) {
    return schema.message().getAttributesList().stream()
        .filter(pair -> attributes.test(pair.getFirst().toStringUtf8()))
        .toList();
  }

  private Optional<Refusal> judge(TableSchema schema) {
    try {
      return judge.apply(schema);
    } finally {
      examined.release();
    }
  }

  /**
   * Examines a table's coprocessors, and keeps the verdict. May wait for half a minute, so not for
   * the master's loop.
   *
   * @throws IOException if there is no verdict now
   */
  void examine(TableSchema schema) throws IOException {
    List<BytesBytesPair> named = named(schema);
    if (named.isEmpty()) {
      return;
    }
    if (!examined.tryAcquire()) {
      throw new HBaseIOException(
          "The coprocessors of table "
              + schema.name()
              + " cannot be examined while those of "
              + EXAMINED_MAX
              + " others are");
    }
    Optional<Refusal> verdict;
    try {
      verdict =
          CompletableFuture.supplyAsync(() -> judge(schema), threads)
              .get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      verdict =
          Optional.of(
              new Refusal(
                  "Table "
                      + schema.name()
                      + " cannot have these coprocessors: their jars could not be read in "
                      + patience.toSeconds()
                      + " s",
                  false));
    } catch (ExecutionException e) {
      throw new HBaseIOException(
          "The coprocessors of table " + schema.name() + " cannot be examined", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while coprocessors are examined");
    }
    synchronized (known) {
      known.remove(named); // so that the new one is the youngest
      known.put(named, verdict);
    }
  }

  /**
   * Returns why a table's coprocessors cannot run, as they were last examined; empty if they can,
   * or were not. A region with others does not open, and says why. Does not wait.
   */
  Optional<Refusal> refusal(TableSchema schema) {
    List<BytesBytesPair> named = named(schema);
    synchronized (known) {
      return known.getOrDefault(named, Optional.empty());
    }
  }
}
