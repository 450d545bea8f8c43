package dev.cairn.torture.cluster;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CleanupBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CleanupBulkLoadResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.PrepareBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.PrepareBulkLoadResponse;

/** The calls by which Apache's tool loads files. For one thread at a time. */
final class LoadCalls {
  private static final String CLIENT = "ClientService";

  private final ClusterClient client;
  private final TableName table;

  LoadCalls(ClusterClient client, TableName table) {
    this.client = client;
    this.table = table;
  }

  /** Makes a staging directory at the server of {@code row}; returns its token. */
  String prepare(String row, Duration patience) throws IOException {
    return client.call(
        table,
        Bytes.utf8(row),
        patience,
        (region, server) ->
            server
                .call(
                    CLIENT,
                    "PrepareBulkLoad",
                    PrepareBulkLoadRequest.newBuilder()
                        .setTableName(Messages.message(table))
                        .setRegion(Messages.specifier(region))
                        .build(),
                    PrepareBulkLoadResponse.getDefaultInstance())
                .getBulkToken());
  }

  /**
   * Loads files into the region of {@code row}.
   *
   * @param files the path of one file per family
   * @return false if a file has rows of other regions, so that nothing was loaded
   */
  boolean load(String row, Map<String, String> files, String token, Duration patience)
      throws IOException {
    return client.call(
        table,
        Bytes.utf8(row),
        patience,
        (region, server) -> {
          BulkLoadHFileRequest.Builder request =
              BulkLoadHFileRequest.newBuilder()
                  .setRegion(Messages.specifier(region))
                  .setAssignSeqNum(true)
                  .setBulkToken(token);
          files.forEach(
              (family, path) ->
                  request.addFamilyPath(
                      BulkLoadHFileRequest.FamilyPath.newBuilder()
                          .setFamily(Messages.wrap(Bytes.utf8(family)))
                          .setPath(path)));
          return server
              .call(
                  CLIENT,
                  "BulkLoadHFile",
                  request.build(),
                  BulkLoadHFileResponse.getDefaultInstance())
              .getLoaded();
        });
  }

  /** Deletes a staging directory at the server of {@code row}. */
  void cleanUp(String row, String token, Duration patience) throws IOException {
    client.call(
        table,
        Bytes.utf8(row),
        patience,
        (region, server) ->
            server.call(
                CLIENT,
                "CleanupBulkLoad",
                CleanupBulkLoadRequest.newBuilder()
                    .setBulkToken(token)
                    .setRegion(Messages.specifier(region))
                    .build(),
                CleanupBulkLoadResponse.getDefaultInstance()));
  }
}
