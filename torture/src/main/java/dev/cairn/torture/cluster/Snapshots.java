package dev.cairn.torture.cluster;

import dev.cairn.engine.schema.TableName;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteSnapshotRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DeleteSnapshotResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RestoreSnapshotRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RestoreSnapshotResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SnapshotRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SnapshotResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;

/**
 * Takes snapshots of a table while clients write to it. Clones each into another table, which must
 * have all that was acknowledged before the snapshot began; changes and {@linkplain Restores
 * restores} that table, and drops both again.
 */
final class Snapshots {
  private static final String COPY = "copy";
  private static final long NONCE_GROUP = 9;

  private final ClusterClient client;
  private final TableCalls calls;
  private final Restores restores;
  private final CopyScans scans;
  private final TableName table;
  private final History history;
  private final ClusterParts parts;
  private final RandomGenerator random;
  private boolean resting;
  private boolean working;
  private long number;
  private long checked;

  /**
   * Creates it.
   *
   * @param reader reads a table that is being restored, on the machine of {@code client}
   */
  Snapshots(
      ClusterClient client,
      ClusterClient reader,
      TableName table,
      History history,
      ClusterParts parts,
      RandomGenerator random) {
    this.client = client;
    this.calls = new TableCalls(client, NONCE_GROUP);
    this.scans = new CopyScans(client, parts, random);
    this.restores = new Restores(client, reader, calls, scans, parts, random);
    this.table = table;
    this.history = history;
    this.parts = parts;
    this.random = random;
  }

  /** Begins to take snapshots, one per {@code pause} on average. */
  void start(Duration pause) {
    parts
        .scheduler()
        .after(
            random.nextLong(2 * pause.toNanos()),
            () -> {
              if (!resting && !working) {
                working = true;
                client.machine().spawn("snapshots", this::takeAndCheck);
              }
              start(pause);
            });
  }

  /** Pauses after the present snapshot is checked and dropped, until {@link #resume}. */
  void rest() {
    resting = true;
  }

  /** Ends {@link #rest}. */
  void resume() {
    resting = false;
  }

  /** Tells whether it is paused and the last snapshot is dropped. */
  boolean isAtRest() {
    return resting && !working;
  }

  /** Returns the number of snapshots that were taken and checked. */
  long checked() {
    return checked;
  }

  /** Returns the number of restores that were checked. */
  long restored() {
    return restores.count();
  }

  @Override
  public String toString() {
    return "the client that takes snapshots, with snapshot %d: %s"
        .formatted(number, client.lastCall());
  }

  private void takeAndCheck() {
    number++;
    NavigableMap<String, Long> least = history.leasts("", "");
    take();
    TableName copy = TableName.parse(COPY + number);
    Map<String, Long> left = new TreeMap<>(least);
    Map<String, OptionalLong> content = new TreeMap<>();
    calls.until(() -> check(copy, left, content));
    calls.until(() -> scans.check(copy, content));
    checked++;
    restores.changeAndRestore(copy, describe(copy), content);
    calls.drop(copy);
    delete();
    working = false;
  }

  private SnapshotDescription describe(TableName of) {
    return SnapshotDescription.newBuilder()
        .setName("s" + number)
        .setTable(of.toString())
        .setType(SnapshotDescription.Type.FLUSH)
        .build();
  }

  private void take() {
    calls.until(
        () -> {
          SnapshotRequest request =
              SnapshotRequest.newBuilder()
                  .setSnapshot(describe(table))
                  .setNonceGroup(NONCE_GROUP)
                  .setNonce(calls.nextNonce())
                  .build();
          try {
            calls.awaitSuccess(
                client
                    .callMaster(
                        "Snapshot",
                        request,
                        SnapshotResponse.getDefaultInstance(),
                        TableCalls.PATIENCE)
                    .getProcId());
          } catch (IOException e) {
            TableCalls.unless(e, "SnapshotExistsException");
          }
        });
  }

  /**
   * Clones the snapshot unless that is done already, and compares the remaining rows.
   *
   * @param content receives the rows
   */
  private void check(TableName copy, Map<String, Long> left, Map<String, OptionalLong> content)
      throws IOException {
    if (!calls.exists(copy)) {
      RestoreSnapshotRequest request =
          RestoreSnapshotRequest.newBuilder()
              .setSnapshot(describe(copy))
              .setNonceGroup(NONCE_GROUP)
              .setNonce(calls.nextNonce())
              .build();
      calls.awaitSuccess(
          client
              .callMaster(
                  "RestoreSnapshot",
                  request,
                  RestoreSnapshotResponse.getDefaultInstance(),
                  TableCalls.PATIENCE)
              .getProcId());
    }
    RowCalls rows = new RowCalls(client, copy);
    for (String row : left.keySet().toArray(String[]::new)) {
      OptionalLong found = rows.get(row, TableCalls.PATIENCE);
      history.readCopy("s" + number, row, found, left.get(row));
      content.put(row, found);
      left.remove(row);
    }
  }

  private void delete() {
    calls.until(
        () -> {
          try {
            client.callMaster(
                "DeleteSnapshot",
                DeleteSnapshotRequest.newBuilder().setSnapshot(describe(table)).build(),
                DeleteSnapshotResponse.getDefaultInstance(),
                TableCalls.PATIENCE);
          } catch (IOException e) {
            TableCalls.unless(e, "SnapshotDoesNotExistException");
          }
        });
  }
}
