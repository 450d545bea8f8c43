package dev.cairn.torture.cluster;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.StopServerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.StopServerResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MergeTableRegionsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MergeTableRegionsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MoveRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MoveRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SplitTableRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SplitTableRegionResponse;

/**
 * Moves, splits, merges, flushes and compacts random regions, alters the table, restarts servers.
 */
final class Administrator {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int REGIONS_MAX = 8;

  /** The kinds of actions. */
  enum Action {
    MOVE,
    SPLIT,
    MERGE,
    FLUSH,
    COMPACT,
    ALTER,
    RESTART
  }

  private final ClusterClient client;
  private final TableName table;
  private final RandomGenerator random;
  private final Map<Action, Long> done = new EnumMap<>(Action.class);
  private boolean resting;
  private boolean working;
  private long altersBegun;
  private long altersAccepted;
  private long nonce;

  Administrator(ClusterClient client, TableName table, RandomGenerator random) {
    this.client = client;
    this.table = table;
    this.random = random;
  }

  /** Begins to act, once per {@code pause} on average. */
  void start(Duration pause) {
    client
        .machine()
        .spawn(
            "administrator",
            () -> {
              while (true) {
                client.machine().clock().park(random.nextLong(2 * pause.toNanos()));
                if (!resting) {
                  working = true;
                  act(Action.values()[random.nextInt(Action.values().length)]);
                  working = false;
                }
              }
            });
  }

  /** Pauses it after its present action, until {@link #resume}. */
  void rest() {
    resting = true;
  }

  /** Ends {@link #rest}. */
  void resume() {
    resting = false;
  }

  /** Tells whether it is paused and its last action has ended. */
  boolean isAtRest() {
    return resting && !working;
  }

  @Override
  public String toString() {
    return "the administrator: " + client.lastCall();
  }

  /** Returns the number of the last alter that a master accepted. */
  long altersAccepted() {
    return altersAccepted;
  }

  /** Returns the number of the last alter that it requested. */
  long altersBegun() {
    return altersBegun;
  }

  /** Returns how often each action was accepted. */
  Map<Action, Long> done() {
    return Map.copyOf(done);
  }

  private void act(Action action) {
    try {
      List<RegionRow> regions = new ArrayList<>(client.readMeta(PATIENCE));
      regions.removeIf(
          row ->
              !row.region().table().equals(table) && !row.region().table().isMeta()
                  || row.region().split()
                  || row.server().isEmpty());
      if (regions.isEmpty()) {
        return;
      }
      int index = random.nextInt(regions.size());
      if (act(action, regions, index)) {
        done.merge(action, 1L, Long::sum);
      }
    } catch (IOException e) {
      // The action was refused, or no server answered. The next action follows anyway.
    }
  }

  private boolean act(Action action, List<RegionRow> regions, int index) throws IOException {
    RegionRow row = regions.get(index);
    switch (action) {
      case MOVE ->
          client.callMaster(
              "MoveRegion", move(row, regions), MoveRegionResponse.getDefaultInstance(), PATIENCE);
      case SPLIT -> {
        if (regions.size() >= REGIONS_MAX) {
          return false;
        }
        client.callMaster(
            "SplitRegion",
            SplitTableRegionRequest.newBuilder()
                .setRegionInfo(Messages.message(row.region()))
                .setSplitRow(Messages.wrap(Bytes.utf8("%02d".formatted(random.nextInt(100)))))
                .setNonceGroup(7)
                .setNonce(++nonce)
                .build(),
            SplitTableRegionResponse.getDefaultInstance(),
            PATIENCE);
      }
      case MERGE -> {
        if (index + 1 >= regions.size()) {
          return false;
        }
        client.callMaster(
            "MergeTableRegions",
            MergeTableRegionsRequest.newBuilder()
                .addRegion(Messages.specifier(row.region()))
                .addRegion(Messages.specifier(regions.get(index + 1).region()))
                .setNonceGroup(7)
                .setNonce(++nonce)
                .build(),
            MergeTableRegionsResponse.getDefaultInstance(),
            PATIENCE);
      }
      case ALTER -> {
        long number = ++altersBegun;
        client.callMaster(
            "ModifyTable",
            ModifyTableRequest.newBuilder()
                .setTableName(Messages.message(NumbersTable.NAME))
                .setTableSchema(NumbersTable.schema(number))
                .setNonceGroup(7)
                .setNonce(++nonce)
                .build(),
            ModifyTableResponse.getDefaultInstance(),
            Duration.ZERO);
        altersAccepted = number;
      }
      case RESTART ->
          client.callServer(
              row.server().orElseThrow(),
              "StopServer",
              StopServerRequest.newBuilder().setReason("restart").build(),
              StopServerResponse.getDefaultInstance());
      case FLUSH ->
          client.callServer(
              row.server().orElseThrow(),
              "FlushRegion",
              FlushRegionRequest.newBuilder().setRegion(Messages.specifier(row.region())).build(),
              FlushRegionResponse.getDefaultInstance());
      case COMPACT ->
          client.callServer(
              row.server().orElseThrow(),
              "CompactRegion",
              CompactRegionRequest.newBuilder()
                  .setRegion(Messages.specifier(row.region()))
                  .setMajor(random.nextBoolean())
                  .build(),
              CompactRegionResponse.getDefaultInstance());
    }
    return true;
  }

  private MoveRegionRequest move(RegionRow row, List<RegionRow> regions) {
    MoveRegionRequest.Builder request =
        MoveRegionRequest.newBuilder().setRegion(Messages.specifier(row.region()));
    Optional<ServerName> other = regions.get(random.nextInt(regions.size())).server();
    other.ifPresent(server -> request.setDestServerName(server.message()));
    return request.build();
  }
}
