package dev.cairn.torture.cluster;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Address;
import dev.cairn.server.catalog.GroupMessages;
import dev.cairn.server.catalog.GroupTable;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.catalog.ServerGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Changes groups of region servers: makes, renames and removes them, and moves servers and tables
 * between them. At rest, each region must be at a server of its table's group.
 */
final class Groups {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final List<String> NAMES = List.of(ServerGroup.DEFAULT, "a", "b");
  private static final List<TableName> TABLES =
      List.of(NumbersTable.NAME, NumbersTable.NAME, Recreations.NAME, GroupTable.NAME);

  private final ClusterClient client;
  private final Supplier<List<Address>> servers;
  private final RandomGenerator random;
  private boolean resting;
  private boolean working;
  private long changes;

  /**
   * Creates it.
   *
   * @param servers returns the addresses of the region servers
   */
  Groups(ClusterClient client, Supplier<List<Address>> servers, RandomGenerator random) {
    this.client = client;
    this.servers = servers;
    this.random = random;
  }

  /** Begins to make changes, one per {@code pause} on average. */
  void start(Duration pause) {
    client
        .machine()
        .spawn(
            "groups",
            () -> {
              while (true) {
                client.machine().clock().park(random.nextLong(2 * pause.toNanos()));
                if (!resting) {
                  working = true;
                  change();
                  working = false;
                }
              }
            });
  }

  /** Pauses it after its present change, until {@link #resume}. */
  void rest() {
    resting = true;
  }

  /** Ends {@link #rest}. */
  void resume() {
    resting = false;
  }

  /** Tells whether it is paused and its last change has ended. */
  boolean isAtRest() {
    return resting && !working;
  }

  /** Returns the number of changes that were accepted. */
  long changes() {
    return changes;
  }

  @Override
  public String toString() {
    return "the changes of groups: " + client.lastCall();
  }

  private void change() {
    try {
      String group = NAMES.get(random.nextInt(NAMES.size()));
      String other = NAMES.get(random.nextInt(NAMES.size()));
      Address server = servers.get().get(random.nextInt(servers.get().size()));
      TableName table = TABLES.get(random.nextInt(TABLES.size()));
      switch (random.nextInt(9)) {
        case 0 -> call("AddRSGroup", request("AddRSGroup").set("r_s_group_name", group));
        case 1 -> call("RemoveRSGroup", request("RemoveRSGroup").set("r_s_group_name", group));
        case 2 ->
            call(
                "RenameRSGroup",
                request("RenameRSGroup")
                    .set("old_rsgroup_name", group)
                    .set("new_rsgroup_name", other));
        case 3 -> balance(group);
        case 4 ->
            call(
                "MoveServersAndTables",
                request("MoveServersAndTables")
                    .set("target_group", group)
                    .add("servers", server.message())
                    .add("table_name", Messages.message(table)));
        case 5, 6 ->
            call(
                "MoveTables",
                request("MoveTables")
                    .set("target_group", group)
                    .add("table_name", Messages.message(table)));
        default ->
            call(
                "MoveServers",
                request("MoveServers").set("target_group", group).add("servers", server.message()));
      }
      changes++;
    } catch (IOException e) {
      // The change was refused, or no master answered. The next change follows anyway.
    }
  }

  /** Returns the addresses of the servers of a table's group. */
  List<Address> serversOf(TableName table) throws IOException {
    return call("ListRSGroupInfos", request("ListRSGroupInfos")).groups("r_s_group_info").stream()
        .filter(group -> group.tables().contains(table))
        .flatMap(group -> group.servers().stream())
        .toList();
  }

  /**
   * Asks the master to move the copies of regions that are not on a server of their group. Returns
   * a sentence for each of these copies.
   *
   * @param meta the regions of {@code hbase:meta}
   */
  List<String> complaints(List<RegionRow> meta) throws IOException {
    List<String> complaints = new ArrayList<>();
    List<ServerGroup> groups =
        call("ListRSGroupInfos", request("ListRSGroupInfos")).groups("r_s_group_info");
    for (ServerGroup group : groups) {
      for (RegionRow row : meta) {
        if (!group.tables().contains(row.region().table()) || row.region().split()) {
          continue;
        }
        Stream.concat(
                Stream.of(row.server()), row.replicas().stream().map(RegionRow.Replica::server))
            .filter(server -> server.map(Address::of).filter(group.servers()::contains).isEmpty())
            .filter(server -> !group.servers().isEmpty())
            .forEach(
                server ->
                    complaints.add(
                        "%s has a copy at %s, which is not in its group %s"
                            .formatted(row.region(), server, group)));
      }
      if (!complaints.isEmpty()) {
        balance(group.name());
      }
    }
    return complaints;
  }

  private void balance(String group) throws IOException {
    call("BalanceRSGroup", request("BalanceRSGroup").set("r_s_group_name", group));
  }

  private static GroupMessages.Builder request(String method) {
    return GroupMessages.builder(method + "Request");
  }

  private GroupMessages.Reader call(String method, GroupMessages.Builder request)
      throws IOException {
    CoprocessorServiceResponse response =
        client.callMaster(
            "ExecMasterService",
            CoprocessorServiceRequest.newBuilder()
                .setRegion(Messages.specifier(RegionInfo.META))
                .setCall(
                    CoprocessorServiceCall.newBuilder()
                        .setRow(ByteString.EMPTY)
                        .setServiceName(GroupMessages.SERVICE)
                        .setMethodName(method)
                        .setRequest(request.build().toByteString()))
                .build(),
            CoprocessorServiceResponse.getDefaultInstance(),
            PATIENCE);
    return GroupMessages.parse(method + "Response", response.getValue().getValue());
  }
}
