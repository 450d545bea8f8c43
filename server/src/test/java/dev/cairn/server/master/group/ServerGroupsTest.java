package dev.cairn.server.master.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Address;
import dev.cairn.server.catalog.GroupTable;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.ddl.CreateTableProcedure;
import dev.cairn.server.master.ddl.DeleteTableProcedure;
import dev.cairn.server.master.ddl.ModifyTableProcedure;
import dev.cairn.server.master.ddl.NamespaceProcedure;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureKind;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;
import org.junit.jupiter.api.Test;

/** Regions stay at the servers of their group, whatever happens to servers and masters. */
class ServerGroupsTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);
  private static final ServerName THREE = new ServerName("three", 16020, 1);
  private static final ServerName FOUR = new ServerName("four", 16020, 1);
  private static final TableName TABLE = SimulatedCluster.TABLE;

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final AtomicBoolean fallback = new AtomicBoolean();

  /** Starts four servers, of which three and four are in the group g. */
  private void start() throws IOException {
    cluster.groups = new GroupSettings(true, fallback::get);
    for (ServerName server : List.of(ONE, TWO, THREE, FOUR)) {
      cluster.addServer(server);
    }
    cluster.startUp();
    awaitGroups();
    change((admin, completion) -> admin.add("g", completion));
    change((admin, completion) -> admin.moveServers(addresses(THREE, FOUR), "g", completion));
  }

  private void awaitGroups() {
    cluster.runUntil(() -> cluster.isIdle() && groups().groups().isLoaded());
  }

  private GroupAdmin groups() {
    return cluster.active().groups();
  }

  private interface Change {
    void begin(GroupAdmin admin, Completion completion) throws IOException;
  }

  private void change(Change change) throws IOException {
    CompletableFuture<Void> done = begin(change);
    cluster.runUntil(done::isDone);
    done.join();
  }

  private CompletableFuture<Void> begin(Change change) throws IOException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    change.begin(groups(), Completion.of(() -> done.complete(null), done::completeExceptionally));
    return done;
  }

  private static Set<Address> addresses(ServerName... servers) {
    Set<Address> addresses = new HashSet<>();
    for (ServerName server : servers) {
      addresses.add(Address.of(server));
    }
    return addresses;
  }

  /** Returns the servers that have the table's regions open; empty while one is not open. */
  private Set<ServerName> homes() {
    Set<ServerName> homes = new HashSet<>();
    for (RegionStateNode node : cluster.active().assignments().of(TABLE)) {
      if (node.openServer().isEmpty()) {
        return Set.of();
      }
      homes.add(node.openServer().get());
    }
    return homes;
  }

  private static TableSchema schema(TableName name) {
    return TableSchema.of(name, FamilySchema.of("a"));
  }

  private CreateTableProcedure create(TableSchema schema) {
    return new CreateTableProcedure(
        cluster.active().procedureContext(), "user", schema, List.of(Bytes.utf8("m")));
  }

  @Test
  void aServerThatMovesGivesItsRegionsAway() throws IOException {
    start();
    for (ServerName server : List.of(THREE, FOUR)) {
      assertThat(cluster.servers.hosted.get(server).values())
          .allMatch(region -> region.table().isMeta()); // which is not moved
    }
    cluster.run(cluster.createTable("b", "c", "d"));
    assertThat(homes()).containsExactlyInAnyOrder(ONE, TWO);
    change((admin, completion) -> admin.moveServers(addresses(TWO), "g", completion));
    assertThat(homes()).containsExactly(ONE);
  }

  @Test
  void aTableThatMovesTakesItsRegionsAlong() throws IOException {
    start();
    cluster.run(cluster.createTable("b", "c", "d"));
    change((admin, completion) -> admin.moveTables(Set.of(TABLE), "g", completion));
    assertThat(homes()).containsExactlyInAnyOrder(THREE, FOUR);
    assertThat(groups().of(TABLE).orElseThrow().name()).isEqualTo("g");
    change((admin, completion) -> admin.moveTables(Set.of(TABLE), "default", completion));
    assertThat(homes()).containsExactlyInAnyOrder(ONE, TWO);
  }

  @Test
  void serversAndTablesThatMoveTogetherKeepTheirRegions() throws IOException {
    start();
    cluster.run(cluster.createTable("b", "c", "d"));
    change((admin, completion) -> admin.moveTables(Set.of(TABLE), "g", completion));
    change((admin, completion) -> admin.add("h", completion));
    change(
        (admin, completion) ->
            admin.moveServersAndTables(addresses(FOUR), Set.of(TABLE), "h", completion));
    assertThat(homes()).containsExactly(FOUR);
  }

  @Test
  void withoutTheRuleRegionsAreOutsideTheGroup() throws IOException {
    cluster.placementRulesInForce = rule -> !(rule instanceof GroupRule);
    start();
    cluster.run(cluster.createTable("b", "c", "d"));
    assertThat(homes()).contains(THREE, FOUR);
  }

  @Test
  void aKilledServersRegionsStayInTheGroup() throws IOException {
    start();
    cluster.run(cluster.createTable("b", "c", "d"));
    change((admin, completion) -> admin.moveTables(Set.of(TABLE), "g", completion));
    cluster.killServer(THREE);
    cluster.runUntil(() -> cluster.isIdle() && homes().equals(Set.of(FOUR)));
    cluster.killServer(FOUR);
    cluster.letTimePass(Duration.ofMinutes(5));
    assertThat(homes()).isEmpty();
    ServerName again = new ServerName("three", 16020, 2);
    cluster.addServer(again);
    cluster.runUntil(() -> cluster.isIdle() && homes().equals(Set.of(again)));
  }

  @Test
  void withFallbackTheDefaultGroupHelps() throws IOException {
    start();
    cluster.run(cluster.createTable("b", "c", "d"));
    change((admin, completion) -> admin.moveTables(Set.of(TABLE), "g", completion));
    cluster.killServer(THREE);
    cluster.killServer(FOUR);
    cluster.letTimePass(Duration.ofMinutes(1));
    assertThat(homes()).isEmpty();
    fallback.set(true);
    cluster.runUntil(() -> cluster.isIdle() && homes().equals(Set.of(ONE, TWO)));
    ServerName again = new ServerName("three", 16020, 2);
    cluster.addServer(again);
    cluster.runUntil(() -> cluster.active().servers().isReady(again));
    assertThat(groups().countMisplaced(groups().regionsOf("g"))).isEqualTo(4);
    groups().moveMisplaced(groups().regionsOf("g"));
    cluster.runUntil(() -> cluster.isIdle() && homes().equals(Set.of(again)));
  }

  @Test
  void theMastersOwnTablesFindAServerInTheEnd() throws IOException {
    start();
    cluster.run(cluster.createTable());
    cluster.killServer(ONE);
    cluster.killServer(TWO);
    cluster.letTimePass(Duration.ofMinutes(2));
    assertThat(homes()).isEmpty();
    change((admin, completion) -> admin.moveServers(addresses(FOUR), "default", completion));
    cluster.runUntil(() -> cluster.isIdle() && homes().equals(Set.of(FOUR)));
  }

  @Test
  void theNextMasterHasTheGroups() throws IOException {
    start();
    cluster.run(cluster.createTable("b", "c", "d"));
    change((admin, completion) -> admin.moveTables(Set.of(TABLE), "g", completion));
    List<ServerGroup> before = groups().all();
    cluster.killMaster();
    cluster.killServer(THREE);
    cluster.startUp();
    cluster.runUntil(() -> cluster.isIdle() && homes().equals(Set.of(FOUR)));
    awaitGroups();
    assertThat(groups().all().get(0)).isEqualTo(before.get(0));
  }

  /** A write that has timed out may be done after the table was read again. */
  @Test
  void aWriteThatIsDoneLaterChangesNothing() throws Exception {
    start();
    change((admin, completion) -> admin.add("h", completion));
    cluster.servers.delayed = GroupTable.NAME;
    CompletableFuture<Void> lost =
        begin((admin, completion) -> admin.moveServers(addresses(FOUR), "h", completion));
    cluster.runUntil(lost::isCompletedExceptionally);
    awaitGroups();
    assertThat(groups().of(Address.of(FOUR)).orElseThrow().name()).isEqualTo("g");
    change((admin, completion) -> admin.add("i", completion));
    cluster.servers.late.remove(0).call();

    change((admin, completion) -> admin.moveServers(addresses(FOUR), "i", completion));
    List<ServerGroup> known = groups().all();
    assertThat(known.stream().filter(group -> group.servers().contains(Address.of(FOUR))))
        .extracting(ServerGroup::name)
        .containsExactly("i");
    cluster.killMaster();
    cluster.startUp();
    awaitGroups();
    assertThat(groups().all()).isEqualTo(known);
  }

  /** The same for a group that such a write makes or removes. */
  @Test
  void aRenameThatIsDoneLaterChangesNothing() throws Exception {
    start();
    cluster.servers.delayed = GroupTable.NAME;
    CompletableFuture<Void> lost = begin((admin, completion) -> admin.rename("g", "h", completion));
    cluster.runUntil(lost::isCompletedExceptionally);
    awaitGroups();
    cluster.servers.late.remove(0).call();
    List<ServerGroup> known = groups().all();
    cluster.killMaster();
    cluster.startUp();
    awaitGroups();
    assertThat(groups().all()).isEqualTo(known);
    assertThat(groups().find("h")).isEmpty();
  }

  @Test
  void aMasterThatTakesOverMovesTheRest() throws IOException {
    start();
    cluster.run(cluster.createTable("b", "c", "d"));
    begin((admin, completion) -> admin.moveTables(Set.of(TABLE), "g", completion));
    cluster.runUntil(() -> groups().groups().map().groupOf(TABLE).equals("g"));
    cluster.killMaster();
    cluster.startUp();
    awaitGroups();
    cluster.runUntil(
        () -> cluster.isIdle() && !homes().isEmpty() && Set.of(THREE, FOUR).containsAll(homes()));
  }

  @Test
  void newTablesGoToTheGroupOfTheirNamespace() throws IOException {
    start();
    assertThatThrownBy(() -> cluster.run(namespace("x")))
        .hasMessageContaining("Region server group x does not exist.");
    cluster.run(namespace("g"));
    TableName inShop = new TableName("shop", "t");
    cluster.run(create(schema(inShop)));
    assertThat(groups().of(inShop).orElseThrow().name()).isEqualTo("g");
    assertThat(cluster.active().assignments().of(inShop))
        .allMatch(node -> Set.of(THREE, FOUR).contains(node.openServer().orElseThrow()));

    change((admin, completion) -> admin.rename("g", "h", completion));
    TableName another = new TableName("shop", "u");
    cluster.run(create(schema(another)));
    assertThat(groups().of(another).orElseThrow().name()).isEqualTo("h");
  }

  /** The client repeats its request to the next master. */
  @Test
  void aRenameThatAMasterBeganIsCompletedIfItIsRepeated() throws IOException {
    start();
    List<String> names = List.of("shop", "stock");
    for (String name : names) {
      cluster.run(namespace(name, "g"));
    }
    begin((admin, completion) -> admin.rename("g", "h", completion));
    cluster.runUntil(() -> groups().groups().map().exists("h"));
    cluster.killMaster();
    cluster.startUp();
    awaitGroups();
    assertThat(names).extracting(this::groupOf).containsOnly("g");

    assertThatThrownBy(() -> change((admin, completion) -> admin.rename("g", "other", completion)))
        .hasMessageContaining("RSGroup g does not exist");
    change((admin, completion) -> admin.rename("g", "h", completion));
    assertThat(names).extracting(this::groupOf).containsOnly("h");
    assertThatThrownBy(() -> change((admin, completion) -> admin.rename("g", "h", completion)))
        .as("nothing is left to do")
        .hasMessageContaining("RSGroup g does not exist");
  }

  private String groupOf(String namespace) {
    return TableGroups.group(
            cluster.active().procedureContext().namespaces().find(namespace).orElseThrow())
        .orElseThrow();
  }

  private NamespaceProcedure namespace(String group) {
    return namespace("shop", group);
  }

  private NamespaceProcedure namespace(String name, String group) {
    return new NamespaceProcedure(
        cluster.active().procedureContext(),
        ProcedureKind.CREATE_NAMESPACE,
        NamespaceDescriptor.newBuilder()
            .setName(Messages.wrap(Bytes.utf8(name)))
            .addConfiguration(
                NameStringPair.newBuilder().setName(ServerGroup.PROPERTY).setValue(group))
            .build(),
        any -> false);
  }

  @Test
  void aTableMayNameItsGroup() throws IOException {
    start();
    cluster.run(create(schema(TABLE).with(ServerGroup.PROPERTY, "g")));
    assertThat(homes()).containsExactlyInAnyOrder(THREE, FOUR);
    cluster.run(
        new ModifyTableProcedure(
            cluster.active().procedureContext(),
            "user",
            TABLE,
            present -> present.with(ServerGroup.PROPERTY, "default")));
    assertThat(homes()).containsExactlyInAnyOrder(ONE, TWO);
    assertThatThrownBy(
            () ->
                cluster.run(
                    new ModifyTableProcedure(
                        cluster.active().procedureContext(),
                        "user",
                        TABLE,
                        present -> present.with(ServerGroup.PROPERTY, "x"))))
        .hasMessageContaining("Region server group x does not exist.");
  }

  @Test
  void aNewTableNeedsAServerOfItsGroup() throws IOException {
    start();
    cluster.killServer(THREE);
    cluster.killServer(FOUR);
    cluster.runUntil(() -> cluster.active().servers().ready().size() == 2);
    assertThatThrownBy(() -> cluster.run(create(schema(TABLE).with(ServerGroup.PROPERTY, "g"))))
        .hasCauseInstanceOf(HBaseIOException.class)
        .hasMessageContaining("No server of the group g");
  }

  @Test
  void aTableMayNotMoveToAGroupWithoutAServer() throws IOException {
    start();
    cluster.run(cluster.createTable("b", "c", "d"));
    Set<ServerName> before = homes();
    change((admin, completion) -> admin.add("empty", completion));
    assertThatThrownBy(
            () ->
                cluster.run(
                    new ModifyTableProcedure(
                        cluster.active().procedureContext(),
                        "user",
                        TABLE,
                        present -> present.with(ServerGroup.PROPERTY, "empty"))))
        .hasMessageContaining("No server of the group empty");
    assertThat(homes()).isEqualTo(before).isNotEmpty();
  }

  @Test
  void aRegionWithoutAServerOfItsGroupOpensAgainWhereItWas() throws IOException {
    start();
    cluster.run(create(schema(TABLE).with(ServerGroup.PROPERTY, "g")));
    cluster.killServer(FOUR);
    cluster.runUntil(() -> cluster.isIdle() && homes().equals(Set.of(THREE)));
    change((admin, completion) -> admin.moveServers(addresses(THREE), "default", completion));
    assertThat(homes()).containsExactly(THREE);
    cluster.run(
        new ModifyTableProcedure(
            cluster.active().procedureContext(),
            "user",
            TABLE,
            present -> present.with("PRIORITY", "1")));
    assertThat(homes()).containsExactly(THREE);
    ServerName again = new ServerName("four", 16020, 2);
    cluster.addServer(again);
    cluster.runUntil(() -> cluster.active().servers().isReady(again));
    groups().moveMisplaced(groups().regionsOf("g"));
    cluster.runUntil(() -> cluster.isIdle() && homes().equals(Set.of(again)));
  }

  @Test
  void theLastServersOfAGroupWithRegionsAreNotEmptied() throws IOException {
    start();
    cluster.run(cluster.createTable("b", "c", "d"));
    change((admin, completion) -> admin.moveTables(Set.of(TABLE), "g", completion));
    assertThatThrownBy(() -> drain(true, THREE, FOUR))
        .hasMessage(
            "No region server is left that may have the regions of [four,16020,1, three,16020,1]:"
                + " one,16020,1 is not in the group g of the table orders; two,16020,1 is not in"
                + " the group g of the table orders. Nothing was changed");
    assertThat(cluster.marked()).isEmpty();

    fallback.set(true); // It helps a group without a server, not one whose servers drain.
    drain(true, THREE);
    cluster.runUntil(() -> cluster.isIdle() && homes().equals(Set.of(FOUR)));
    assertThatThrownBy(() -> drain(true, FOUR))
        .hasMessageContaining("three,16020,1 is draining")
        .hasMessageContaining("two,16020,1 is not in the group g");
    assertThat(cluster.marked()).containsExactly(THREE);

    drain(false, FOUR);
    assertThat(cluster.marked()).contains(FOUR);
  }

  private void drain(boolean offload, ServerName... servers) throws IOException {
    CompletableFuture<Void> done = new CompletableFuture<>();
    cluster
        .active()
        .draining()
        .drain(
            List.of(servers),
            offload,
            Completion.of(() -> done.complete(null), done::completeExceptionally));
    cluster.runUntil(done::isDone);
    cluster.active().offload().look();
  }

  @Test
  void aDeletedTableLeavesItsGroup() throws IOException {
    start();
    cluster.run(create(schema(TABLE).with(ServerGroup.PROPERTY, "g")));
    cluster.run(cluster.setEnabled(false));
    cluster.run(new DeleteTableProcedure(cluster.active().procedureContext(), "user", TABLE));
    assertThat(groups().find("g").orElseThrow().tables()).isEmpty();
    assertThat(groups().of(TABLE)).isEqualTo(Optional.empty());
  }

  @Test
  void aServerThatIsClearedLeavesItsGroup() throws IOException {
    start();
    cluster.killServer(FOUR);
    cluster.runUntil(
        () -> cluster.active().servers().isDead(FOUR) && cluster.active().members().isRecovered());
    assertThat(groups().of(Address.of(FOUR)).orElseThrow().name()).isEqualTo("g");
    cluster.active().servers().forgetDead(FOUR);
    groups().forget(List.of(FOUR));
    cluster.runUntil(() -> !groups().groups().map().groupOf(Address.of(FOUR)).equals("g"));
    assertThat(groups().of(Address.of(FOUR))).isEmpty();
  }
}
