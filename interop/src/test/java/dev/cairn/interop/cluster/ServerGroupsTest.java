package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.launcher.cluster.NodeKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.constraint.ConstraintException;
import org.apache.hadoop.hbase.net.Address;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.RSGroupProtos;
import org.apache.hadoop.hbase.rsgroup.RSGroupAdmin;
import org.apache.hadoop.hbase.rsgroup.RSGroupAdminClient;
import org.apache.hadoop.hbase.rsgroup.RSGroupInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups of region servers, through the client of HBase's module for them. */
@Tag("long")
@Timeout(600)
class ServerGroupsTest {
  private static final TableName TABLE = TableName.valueOf("grouped");
  private static final TableName IN_SHOP = TableName.valueOf("shop:orders");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final String PROPERTY = "hbase.rsgroup.name";

  @TempDir private Path folder;

  private ClusterProcesses cluster;
  private Admin admin;
  private Connection connection;
  private RSGroupAdmin groups;

  private interface Steps {
    void run() throws Exception;
  }

  private void with(int masters, int servers, Map<String, String> settings, Steps steps)
      throws Exception {
    Map<String, String> all = new HashMap<>(settings);
    all.put(
        "hbase.coprocessor.master.classes", "org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint");
    all.put(
        "hbase.master.loadbalancer.class",
        "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer");
    try (ClusterProcesses started = ClusterProcesses.onLocalFolder(folder, masters, servers, all)) {
      cluster = started;
      try (Connection opened = ConnectionFactory.createConnection(cluster.client());
          Admin ofCluster = opened.getAdmin()) {
        connection = opened;
        admin = ofCluster;
        groups = new RSGroupAdminClient(opened);
        cluster.await("all servers are there", () -> servers().size() == servers);
        steps.run();
      }
    }
  }

  private Collection<ServerName> servers() throws IOException {
    return admin.getRegionServers();
  }

  /** Returns the address of the region server {@code name}. */
  private Address address(String name) {
    int port =
        cluster.local().plan().nodes(NodeKind.REGION_SERVER).stream()
            .filter(node -> node.name().equals(name))
            .findFirst()
            .orElseThrow()
            .port();
    return Address.fromParts("127.0.0.1", port);
  }

  private Set<Address> addresses(String... names) throws IOException {
    Set<Integer> ports =
        Arrays.stream(names).map(name -> address(name).getPort()).collect(Collectors.toSet());
    return servers().stream()
        .map(ServerName::getAddress)
        .filter(address -> ports.contains(address.getPort()))
        .collect(Collectors.toSet());
  }

  /** Returns the names of the region servers that have regions of a table; "none" is one, too. */
  private Set<String> homes(TableName table) throws IOException {
    Set<String> homes = new TreeSet<>();
    for (HRegionLocation place : connection.getRegionLocator(table).getAllRegionLocations()) {
      ServerName server = place.getServerName();
      homes.add(server == null ? "none" : cluster.nameOf(server.getPort()));
    }
    return homes;
  }

  private void create(TableName table) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build(),
        new byte[][] {Bytes.toBytes("d"), Bytes.toBytes("m"), Bytes.toBytes("s")});
  }

  private void write(TableName name) throws IOException {
    try (Table table = connection.getTable(name)) {
      for (char row = 'a'; row <= 'z'; row++) {
        byte[] key = Bytes.toBytes(String.valueOf(row));
        table.put(new Put(key).addColumn(FAMILY, FAMILY, key));
      }
    }
  }

  private void checkRows(TableName name) throws IOException {
    try (Table table = connection.getTable(name)) {
      for (char row = 'a'; row <= 'z'; row++) {
        byte[] key = Bytes.toBytes(String.valueOf(row));
        assertThat(table.get(new Get(key)).getValue(FAMILY, FAMILY)).isEqualTo(key);
      }
    }
  }

  @Test
  void groupsOutliveServersAndMasters() throws Exception {
    with(
        2,
        4,
        Map.of(),
        () -> {
          RSGroupInfo first = groups.listRSGroups().get(0);
          assertThat(first.getName()).isEqualTo("default");
          assertThat(first.getServers()).hasSize(4);
          assertThat(first.getTables())
              .contains(TableName.META_TABLE_NAME, TableName.valueOf("hbase:rsgroup"));
          create(TABLE);
          write(TABLE);
          groups.addRSGroup("g");
          groups.moveServers(addresses("rs3", "rs4"), "g");
          assertThat(homes(TABLE)).doesNotContain("rs3", "rs4");
          groups.moveTables(Set.of(TABLE), "g");
          assertThat(homes(TABLE)).containsExactly("rs3", "rs4");
          assertThat(groups.getRSGroupInfoOfTable(TABLE).getName()).isEqualTo("g");
          checkRows(TABLE);

          aMoveToAnotherGroupIsRefused();
          namespacesAreBound();
          everyCopyIsAsHBaseWritesIt();

          cluster.kill("rs3");
          cluster.await("one server has all regions", () -> homes(TABLE).equals(Set.of("rs4")));
          checkRows(TABLE);
          RSGroupInfo before = groups.getRSGroupInfo("g");
          cluster.kill(cluster.activeMaster());
          cluster.awaitServing();
          cluster.await("the groups are there", () -> groups.getRSGroupInfo("g").equals(before));
          assertThat(groups.getRSGroupOfServer(address("rs3")).getName()).isEqualTo("g");
          assertThat(before.getServers()).hasSize(2);

          cluster.kill("rs4");
          cluster.launch("rs3");
          cluster.await(
              "the server that is back has all regions",
              () -> homes(TABLE).equals(Set.of("rs3")) && homes(IN_SHOP).equals(Set.of("rs3")));
          checkRows(TABLE);
        });
  }

  private void aMoveToAnotherGroupIsRefused() throws IOException {
    ServerName other =
        servers().stream()
            .filter(server -> cluster.nameOf(server.getPort()).equals("rs1"))
            .findFirst()
            .orElseThrow();
    byte[] region = admin.getRegions(TABLE).get(0).getEncodedNameAsBytes();
    assertThatThrownBy(() -> admin.move(region, other))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("is not in the group g of the table grouped");
  }

  private void namespacesAreBound() throws IOException {
    assertThatThrownBy(
            () ->
                admin.createNamespace(
                    NamespaceDescriptor.create("shop").addConfiguration(PROPERTY, "x").build()))
        .isInstanceOf(ConstraintException.class);
    admin.createNamespace(
        NamespaceDescriptor.create("shop").addConfiguration(PROPERTY, "g").build());
    create(IN_SHOP);
    assertThat(homes(IN_SHOP)).isSubsetOf("rs3", "rs4");
    assertThat(groups.getRSGroupInfoOfTable(IN_SHOP).getName()).isEqualTo("g");
  }

  private void everyCopyIsAsHBaseWritesIt() throws Exception {
    RSGroupInfo group = groups.getRSGroupInfo("g");
    try (Table table = connection.getTable(TableName.valueOf("hbase:rsgroup"))) {
      byte[] value =
          table.get(new Get(Bytes.toBytes("g"))).getValue(Bytes.toBytes("m"), Bytes.toBytes("i"));
      check(RSGroupProtos.RSGroupInfo.parseFrom(value), group);
    }
    Configuration client = cluster.client();
    try (ZKWatcher zooKeeper = new ZKWatcher(client, "test", null)) {
      cluster.await(
          "the znode is written",
          () -> {
            byte[] data = ZKUtil.getData(zooKeeper, "/hbase/rsgroup/g");
            return data != null && parse(data).getTablesCount() == 2;
          });
      check(parse(ZKUtil.getData(zooKeeper, "/hbase/rsgroup/g")), group);
      assertThat(ZKUtil.listChildrenNoWatch(zooKeeper, "/hbase/rsgroup"))
          .containsExactlyInAnyOrder("default", "g");
    }
  }

  private static RSGroupProtos.RSGroupInfo parse(byte[] data) throws Exception {
    ProtobufUtil.expectPBMagicPrefix(data);
    int magic = ProtobufUtil.lengthOfPBMagic();
    return RSGroupProtos.RSGroupInfo.parseFrom(Arrays.copyOfRange(data, magic, data.length));
  }

  private static void check(RSGroupProtos.RSGroupInfo message, RSGroupInfo group) {
    assertThat(message.getName()).isEqualTo(group.getName());
    assertThat(message.getTablesList().stream().map(ProtobufUtil::toTableName))
        .containsExactlyInAnyOrderElementsOf(group.getTables());
    assertThat(
            message.getServersList().stream()
                .map(server -> Address.fromParts(server.getHostName(), server.getPort())))
        .containsExactlyInAnyOrderElementsOf(group.getServers());
  }

  @Test
  void withFallbackRegionsLeaveTheGroupAndReturn() throws Exception {
    with(
        1,
        3,
        Map.of("hbase.rsgroup.fallback.enable", "true"),
        () -> {
          create(TABLE);
          write(TABLE);
          groups.addRSGroup("g");
          groups.moveServers(addresses("rs3"), "g");
          groups.moveTables(Set.of(TABLE), "g");
          assertThat(homes(TABLE)).containsExactly("rs3");
          refusedChanges();
          cluster.kill("rs3");
          cluster.await(
              "the default group helps", () -> Set.of("rs1", "rs2").containsAll(homes(TABLE)));
          checkRows(TABLE);
          cluster.launch("rs3");
          cluster.await("the server is back", () -> addresses("rs3").size() == 1);
          cluster.await(
              "the regions return",
              () -> {
                groups.balanceRSGroup("g", BalanceRequest.defaultInstance());
                return homes(TABLE).equals(Set.of("rs3"));
              });
          checkRows(TABLE);
        });
  }

  private void refusedChanges() throws IOException {
    assertThatThrownBy(() -> groups.addRSGroup("no-dash")).isInstanceOf(ConstraintException.class);
    assertThatThrownBy(() -> groups.addRSGroup("g")).isInstanceOf(DoNotRetryIOException.class);
    assertThatThrownBy(() -> groups.removeRSGroup("g")).isInstanceOf(ConstraintException.class);
    assertThatThrownBy(() -> groups.moveServers(addresses("rs3"), "default"))
        .isInstanceOf(ConstraintException.class)
        .hasMessageContaining("would keep 1 tables without a server");
    assertThatThrownBy(() -> groups.moveServers(addresses("rs1", "rs2"), "g"))
        .isInstanceOf(ConstraintException.class)
        .hasMessageContaining("at least one server");
    assertThatThrownBy(() -> groups.removeServers(addresses("rs3")))
        .isInstanceOf(ConstraintException.class);
    assertThat(groups.getRSGroupInfo("x")).isNull();
    assertThat(groups.getRSGroupInfoOfTable(TableName.valueOf("x"))).isNull();

    groups.updateRSGroupConfig("g", Map.of("owner", "shop"));
    groups.renameRSGroup("g", "h");
    RSGroupInfo renamed = groups.getRSGroupInfo("h");
    assertThat(renamed.getConfiguration()).isEqualTo(Map.of("owner", "shop"));
    assertThat(renamed.getTables()).containsExactly(TABLE);
    assertThat(groups.listRSGroups().stream().map(RSGroupInfo::getName))
        .isEqualTo(List.of("h", "default"));
    groups.renameRSGroup("h", "g");
  }
}
