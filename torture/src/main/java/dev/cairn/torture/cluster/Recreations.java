package dev.cairn.torture.cluster;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableResponse;

/**
 * Creates a table, drops it and creates it again under the same name. Each of these tables must
 * keep its rows until it is dropped, and have no rows of an earlier one.
 */
final class Recreations {
  static final TableName NAME = TableName.parse("again");
  private static final String[] ROWS = {"1", "7"};
  private static final String FORMER = "former";
  private static final String BORDER = "5";
  private static final Duration LIFE_MAX = Duration.ofSeconds(2);

  /** The number of tables in a series, enough that some are created while a master is frozen. */
  private static final int SERIES = 5;

  private static final long NONCE_GROUP = 8;

  private final ClusterClient client;
  private final RowCalls rows;
  private final TableCalls calls;
  private final ClusterParts parts;
  private final RandomGenerator random;
  private boolean resting;
  private boolean working;
  private long number;

  Recreations(ClusterClient client, ClusterParts parts, RandomGenerator random) {
    this.client = client;
    this.rows = new RowCalls(client, NAME);
    this.calls = new TableCalls(client, NONCE_GROUP);
    this.parts = parts;
    this.random = random;
  }

  /** Begins to create series of tables, one series per {@code pause} on average. */
  void start(Duration pause) {
    client
        .machine()
        .spawn(
            "recreations",
            () -> {
              while (true) {
                client.machine().clock().park(random.nextLong(2 * pause.toNanos()));
                for (int i = 0; i < SERIES && !resting; i++) {
                  working = true;
                  recreate();
                  working = false;
                }
              }
            });
  }

  /** Pauses after the current table is created and checked, until {@link #resume}. */
  void rest() {
    resting = true;
  }

  /** Ends {@link #rest}. */
  void resume() {
    resting = false;
  }

  /** Tells whether it is paused and the last table is created. */
  boolean isAtRest() {
    return resting && !working;
  }

  @Override
  public String toString() {
    return "the client that recreates tables, with table %d: %s"
        .formatted(number, client.lastCall());
  }

  /** Returns the number of tables that were created. */
  long count() {
    return number;
  }

  private void recreate() {
    if (number > 0) {
      check();
      calls.drop(NAME);
    }
    number++;
    create();
    for (String row : ROWS) {
      calls.until(() -> rows.put(row, number, TableCalls.PATIENCE));
    }
    calls.until(() -> rows.put(FORMER + number, number, TableCalls.PATIENCE));
    client.machine().clock().park(random.nextLong(LIFE_MAX.toNanos()));
    check();
  }

  private void check() {
    for (String row : ROWS) {
      OptionalLong[] found = new OptionalLong[1];
      calls.until(() -> found[0] = rows.get(row, TableCalls.PATIENCE));
      if (!found[0].equals(OptionalLong.of(number))) {
        fail("row %s is %s, but %d was written".formatted(row, found[0], number));
      }
    }
    OptionalLong[] former = new OptionalLong[1];
    calls.until(() -> former[0] = rows.get(FORMER + (number - 1), TableCalls.PATIENCE));
    if (former[0].isPresent()) {
      fail("it has a row of the table before it");
    }
  }

  private void fail(String what) {
    parts.failures().add("Table %s, created %d times: %s".formatted(NAME, number, what));
  }

  private void create() {
    calls.until(
        () -> {
          CreateTableRequest request =
              CreateTableRequest.newBuilder()
                  .setTableSchema(
                      HBaseProtos.TableSchema.newBuilder()
                          .setTableName(Messages.message(NAME))
                          .addColumnFamilies(
                              HBaseProtos.ColumnFamilySchema.newBuilder()
                                  .setName(Messages.wrap(RowCalls.FAMILY))))
                  .addSplitKeys(Messages.wrap(Bytes.utf8(BORDER)))
                  .setNonceGroup(calls.nonceGroup())
                  .setNonce(calls.nextNonce())
                  .build();
          try {
            calls.awaitSuccess(
                client
                    .callMaster(
                        "CreateTable",
                        request,
                        CreateTableResponse.getDefaultInstance(),
                        TableCalls.PATIENCE)
                    .getProcId());
          } catch (IOException e) {
            TableCalls.unless(e, "TableExistsException");
          }
        });
  }
}
