package dev.cairn.torture.cluster;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
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
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.FlushRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.StopServerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.StopServerResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DecommissionRegionServersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.DecommissionRegionServersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListDecommissionedRegionServersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ListDecommissionedRegionServersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MergeTableRegionsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MergeTableRegionsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MoveRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MoveRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RecommissionRegionServerRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RecommissionRegionServerResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SplitTableRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SplitTableRegionResponse;

/**
 * Moves, splits, merges, flushes and compacts random regions, alters the table, restarts and drains
 * servers. Before it rests, checks that servers whose regions are to be moved away become empty,
 * and ends the draining.
 */
final class Administrator {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The time within which a draining server becomes empty once there are no faults. */
  private static final Duration DRAIN_MAX = Duration.ofMinutes(2);

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
  private static final int REGIONS_MAX = 8;

  /** The kinds of actions. */
  enum Action {
    MOVE,
    SPLIT,
    MERGE,
    FLUSH,
    COMPACT,
    ALTER,
    RESTART,
    DRAIN,
    RESTORE
  }

  private final ClusterClient client;
  private final TableName table;
  private final RandomGenerator random;
  private final boolean hasGroups;
  private final Consumer<String> failures;
  private final Map<Action, Long> done = new EnumMap<>(Action.class);

  /** The servers whose regions are to be moved away. */
  private final Set<ServerName> offloaded = new TreeSet<>();

  /** Whether servers may be draining. */
  private boolean drains;

  private boolean resting;
  private boolean working;
  private long altersBegun;
  private long altersAccepted;
  private long nonce;

  /**
   * Creates it.
   *
   * @param hasGroups whether there are groups of servers: then a draining server keeps regions for
   *     which its group has no other server
   * @param failures receives the violations that it finds
   */
  Administrator(
      ClusterClient client,
      TableName table,
      RandomGenerator random,
      boolean hasGroups,
      Consumer<String> failures) {
    this.client = client;
    this.table = table;
    this.random = random;
    this.hasGroups = hasGroups;
    this.failures = failures;
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
                } else if (drains && !working) {
                  endDraining();
                }
              }
            });
  }

  /**
   * Pauses it after its present action, until {@link #resume}. Draining ends at once: a region may
   * wait for a draining server, if no other may have it.
   */
  void rest() {
    resting = true;
    if (drains && !working) {
      working = true;
      client
          .machine()
          .spawn(
              "end of draining",
              () -> {
                endDraining();
                working = false;
              });
    }
  }

  /** Ends {@link #rest}. */
  void resume() {
    resting = false;
  }

  /** Tells whether it is paused and its last action has ended. */
  boolean isAtRest() {
    return resting && !working && !drains;
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
      case DRAIN -> {
        ServerName server = row.server().orElseThrow();
        boolean offload = random.nextInt(4) > 0;
        drains = true;
        client.callMaster(
            "DecommissionRegionServers",
            DecommissionRegionServersRequest.newBuilder()
                .addServerName(server.message())
                .setOffload(offload)
                .build(),
            DecommissionRegionServersResponse.getDefaultInstance(),
            PATIENCE);
        if (offload) {
          offloaded.add(server);
        }
      }
      case RESTORE -> {
        List<ServerName> draining = draining();
        if (draining.isEmpty()) {
          return false;
        }
        List<RegionInfo> back =
            random.nextBoolean()
                ? List.of()
                : regions.stream()
                    .map(RegionRow::region)
                    .filter(region -> random.nextBoolean())
                    .toList();
        restore(draining.get(random.nextInt(draining.size())), back);
      }
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

  private List<ServerName> draining() throws IOException {
    return client
        .callMaster(
            "ListDecommissionedRegionServers",
            ListDecommissionedRegionServersRequest.getDefaultInstance(),
            ListDecommissionedRegionServersResponse.getDefaultInstance(),
            PATIENCE)
        .getServerNameList()
        .stream()
        .map(ServerName::of)
        .toList();
  }

  private void restore(ServerName server, List<RegionInfo> back) throws IOException {
    offloaded.remove(server);
    client.callMaster(
        "RecommissionRegionServer",
        RecommissionRegionServerRequest.newBuilder()
            .setServerName(server.message())
            .addAllRegion(back.stream().map(Messages::specifier).toList())
            .build(),
        RecommissionRegionServerResponse.getDefaultInstance(),
        PATIENCE);
  }

  /** Waits until the servers are empty, and ends their draining; later if a server is away. */
  private void endDraining() {
    try {
      long end = client.machine().clock().nanoTime() + DRAIN_MAX.toNanos();
      List<ServerName> draining = draining();
      offloaded.retainAll(draining);
      while (!isEmptied(draining)) {
        if (client.machine().clock().nanoTime() > end) {
          failures.accept("Regions stay at draining servers: " + offloaded);
          return;
        }
        client.machine().clock().park(LOOK_AGAIN.toNanos());
        draining = draining();
        offloaded.retainAll(draining);
      }
      for (ServerName server : draining) {
        tryToMoveTo(server);
      }
      for (ServerName server : draining) {
        restore(server, List.of());
      }
      drains = false;
    } catch (IOException e) {
      // It tries again.
    }
  }

  /** Tells whether no server has regions that are to be moved away and can be. */
  private boolean isEmptied(List<ServerName> draining) throws IOException {
    List<RegionRow> regions = new ArrayList<>(client.readMeta(PATIENCE));
    regions.removeIf(row -> row.region().split());
    boolean isElsewhere =
        regions.stream()
            .flatMap(row -> row.server().stream())
            .anyMatch(at -> !draining.contains(at));
    return hasGroups
        || !isElsewhere
        || regions.stream().flatMap(row -> row.server().stream()).noneMatch(offloaded::contains);
  }

  /** Checks that the master refuses to move a region to a draining server. */
  private void tryToMoveTo(ServerName server) throws IOException {
    Optional<RegionInfo> elsewhere =
        client.readMeta(PATIENCE).stream()
            .filter(row -> row.region().table().equals(table) && !row.region().split())
            .filter(row -> row.server().filter(at -> !at.equals(server)).isPresent())
            .map(RegionRow::region)
            .findFirst();
    if (elsewhere.isEmpty()) {
      return;
    }
    try {
      client.callMaster(
          "MoveRegion",
          MoveRegionRequest.newBuilder()
              .setRegion(Messages.specifier(elsewhere.get()))
              .setDestServerName(server.message())
              .build(),
          MoveRegionResponse.getDefaultInstance(),
          PATIENCE);
    } catch (IOException e) {
      return; // as it should be
    }
    failures.accept(elsewhere.get() + " was moved to the draining server " + server);
  }

  private MoveRegionRequest move(RegionRow row, List<RegionRow> regions) {
    RegionInfo region = random.nextInt(8) == 0 ? RegionInfo.META : row.region();
    MoveRegionRequest.Builder request =
        MoveRegionRequest.newBuilder().setRegion(Messages.specifier(region));
    Optional<ServerName> other = regions.get(random.nextInt(regions.size())).server();
    other.ifPresent(server -> request.setDestServerName(server.message()));
    return request.build();
  }
}
