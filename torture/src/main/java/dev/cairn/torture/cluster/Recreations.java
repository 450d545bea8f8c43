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
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DisableTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DisableTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableDescriptorsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableDescriptorsResponse;

/**
 * Creates a table, drops it and creates it again under the same name. Each of these tables must
 * keep its rows until it is dropped, and have no rows of an earlier one.
 */
final class Recreations {
  static final TableName NAME = TableName.parse("again");
  private static final String[] ROWS = {"1", "7"};
  private static final String FORMER = "former";
  private static final String BORDER = "5";
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(300);
  private static final Duration LIFE_MAX = Duration.ofSeconds(2);

  /** The number of tables in a series, enough that some are created while a master is frozen. */
  private static final int SERIES = 5;

  private static final long NONCE_GROUP = 8;

  private final ClusterClient client;
  private final RowCalls rows;
  private final ClusterParts parts;
  private final RandomGenerator random;
  private boolean resting;
  private boolean working;
  private long number;
  private long nonce;

  Recreations(ClusterClient client, ClusterParts parts, RandomGenerator random) {
    this.client = client;
    this.rows = new RowCalls(client, NAME);
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
      drop();
    }
    number++;
    create();
    for (String row : ROWS) {
      until(() -> rows.put(row, number, PATIENCE));
    }
    until(() -> rows.put(FORMER + number, number, PATIENCE));
    client.machine().clock().park(random.nextLong(LIFE_MAX.toNanos()));
    check();
  }

  private void check() {
    for (String row : ROWS) {
      OptionalLong[] found = new OptionalLong[1];
      until(() -> found[0] = rows.get(row, PATIENCE));
      if (!found[0].equals(OptionalLong.of(number))) {
        fail("row %s is %s, but %d was written".formatted(row, found[0], number));
      }
    }
    OptionalLong[] former = new OptionalLong[1];
    until(() -> former[0] = rows.get(FORMER + (number - 1), PATIENCE));
    if (former[0].isPresent()) {
      fail("it has a row of the table before it");
    }
  }

  private void fail(String what) {
    parts.failures().add("Table %s, created %d times: %s".formatted(NAME, number, what));
  }

  private void create() {
    until(
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
                  .setNonceGroup(NONCE_GROUP)
                  .setNonce(++nonce)
                  .build();
          try {
            awaitSuccess(
                client
                    .callMaster(
                        "CreateTable", request, CreateTableResponse.getDefaultInstance(), PATIENCE)
                    .getProcId());
          } catch (IOException e) {
            unless(e, "TableExistsException");
          }
        });
  }

  private void drop() {
    until(
        () -> {
          DisableTableRequest request =
              DisableTableRequest.newBuilder()
                  .setTableName(Messages.message(NAME))
                  .setNonceGroup(NONCE_GROUP)
                  .setNonce(++nonce)
                  .build();
          try {
            awaitSuccess(
                client
                    .callMaster(
                        "DisableTable",
                        request,
                        DisableTableResponse.getDefaultInstance(),
                        PATIENCE)
                    .getProcId());
          } catch (IOException e) {
            unless(e, "TableNotEnabledException", "TableNotFoundException");
          }
        });
    until(
        () -> {
          DeleteTableRequest request =
              DeleteTableRequest.newBuilder()
                  .setTableName(Messages.message(NAME))
                  .setNonceGroup(NONCE_GROUP)
                  .setNonce(++nonce)
                  .build();
          try {
            awaitSuccess(
                client
                    .callMaster(
                        "DeleteTable", request, DeleteTableResponse.getDefaultInstance(), PATIENCE)
                    .getProcId());
          } catch (IOException e) {
            unless(e, "TableNotFoundException");
          }
        });
    until(
        () -> {
          if (exists()) {
            throw new IOException("The table is still there");
          }
        });
  }

  /**
   * Waits for the end of a procedure.
   *
   * @throws IOException if it failed and was undone, or is unknown; then the caller must begin
   *     another one with a new nonce
   */
  private void awaitSuccess(long procedure) throws IOException {
    GetProcedureResultRequest request =
        GetProcedureResultRequest.newBuilder().setProcId(procedure).build();
    while (true) {
      GetProcedureResultResponse response =
          client.callMaster(
              "getProcedureResult",
              request,
              GetProcedureResultResponse.getDefaultInstance(),
              PATIENCE);
      if (response.hasException()) {
        throw new IOException(
            "Procedure %d failed: %s"
                .formatted(procedure, response.getException().getGenericException().getMessage()));
      }
      if (response.getState() == GetProcedureResultResponse.State.FINISHED) {
        return;
      }
      if (response.getState() == GetProcedureResultResponse.State.NOT_FOUND) {
        throw new IOException("Procedure " + procedure + " is not known");
      }
      client.machine().clock().park(PAUSE.toNanos());
    }
  }

  private boolean exists() throws IOException {
    return client
            .callMaster(
                "GetTableDescriptors",
                GetTableDescriptorsRequest.newBuilder()
                    .addTableNames(Messages.message(NAME))
                    .build(),
                GetTableDescriptorsResponse.getDefaultInstance(),
                PATIENCE)
            .getTableSchemaCount()
        > 0;
  }

  private static void unless(IOException error, String... expected) throws IOException {
    for (String name : expected) {
      if (error.toString().contains(name)) {
        return;
      }
    }
    throw error;
  }

  /** Work that may be repeated. */
  private interface Step {
    void run() throws IOException;
  }

  /** Repeats a step until it succeeds, however long faults take. */
  private void until(Step step) {
    while (true) {
      try {
        step.run();
        return;
      } catch (IOException e) {
        client.machine().clock().park(PAUSE.toNanos());
      }
    }
  }
}
