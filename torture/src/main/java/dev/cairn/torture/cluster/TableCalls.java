package dev.cairn.torture.cluster;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DisableTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DisableTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.EnableTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.EnableTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableDescriptorsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableDescriptorsResponse;

/** Calls of the master about whole tables, repeated however long faults take. For one thread. */
final class TableCalls {
  static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(300);

  private final ClusterClient client;
  private final long nonceGroup;
  private long nonce;

  /**
   * Creates calls.
   *
   * @param nonceGroup unique for these calls
   */
  TableCalls(ClusterClient client, long nonceGroup) {
    this.client = client;
    this.nonceGroup = nonceGroup;
  }

  long nonceGroup() {
    return nonceGroup;
  }

  /** Returns a new nonce. */
  long nextNonce() {
    return ++nonce;
  }

  /** Disables a table, if it exists. */
  void disable(TableName table) {
    until(
        () -> {
          DisableTableRequest request =
              DisableTableRequest.newBuilder()
                  .setTableName(Messages.message(table))
                  .setNonceGroup(nonceGroup)
                  .setNonce(nextNonce())
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
  }

  /** Enables a table. */
  void enable(TableName table) {
    until(
        () -> {
          EnableTableRequest request =
              EnableTableRequest.newBuilder()
                  .setTableName(Messages.message(table))
                  .setNonceGroup(nonceGroup)
                  .setNonce(nextNonce())
                  .build();
          try {
            awaitSuccess(
                client
                    .callMaster(
                        "EnableTable", request, EnableTableResponse.getDefaultInstance(), PATIENCE)
                    .getProcId());
          } catch (IOException e) {
            unless(e, "TableNotDisabledException");
          }
        });
  }

  /** Disables and deletes a table, if it exists. */
  void drop(TableName table) {
    disable(table);
    until(
        () -> {
          DeleteTableRequest request =
              DeleteTableRequest.newBuilder()
                  .setTableName(Messages.message(table))
                  .setNonceGroup(nonceGroup)
                  .setNonce(nextNonce())
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
          if (exists(table)) {
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
  void awaitSuccess(long procedure) throws IOException {
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

  /** Tells whether a table exists. */
  boolean exists(TableName table) throws IOException {
    return client
            .callMaster(
                "GetTableDescriptors",
                GetTableDescriptorsRequest.newBuilder()
                    .addTableNames(Messages.message(table))
                    .build(),
                GetTableDescriptorsResponse.getDefaultInstance(),
                PATIENCE)
            .getTableSchemaCount()
        > 0;
  }

  /** Throws {@code error}, unless it is one of those expected. */
  static void unless(IOException error, String... expected) throws IOException {
    for (String name : expected) {
      if (error.toString().contains(name)) {
        return;
      }
    }
    throw error;
  }

  /** Work that may be repeated. */
  interface Step {
    void run() throws IOException;
  }

  /** Repeats a step until it succeeds, however long faults take. */
  void until(Step step) {
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
