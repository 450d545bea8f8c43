package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.launcher.cluster.ClusterPlan.Node;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Freezes processes of a cluster of two masters and two region servers for longer than their
 * sessions, and lets them go on: what they do then has no effect. Clients ask them while they are
 * frozen, so that answering is the first thing that they do.
 */
final class FrozenProcesses implements AutoCloseable {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final String LOOKUP_TIMEOUT_MILLIS = "2000";

  private final ClusterProcesses cluster;
  private final ClusterConnection patient;
  private final Connection connection;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  FrozenProcesses(ClusterProcesses cluster) throws IOException {
    this.cluster = cluster;
    this.patient = (ClusterConnection) ConnectionFactory.createConnection(cluster.client());
    Configuration quick = cluster.client();
    quick.set("hbase.rpc.timeout", LOOKUP_TIMEOUT_MILLIS); // hbase:meta may be on a frozen server
    this.connection = ConnectionFactory.createConnection(quick);
  }

  /** The owner of a region wakes up after another server has opened it and taken a write. */
  void aRegionServerThatWakesUpAnswersNoRead() throws Exception {
    TableName name = TableName.valueOf("frozen");
    create(name);
    try (Table table = connection.getTable(name)) {
      table.put(new Put(ROW).addColumn(FAMILY, FAMILY, Bytes.toBytes("old")));
      HRegionLocation before = location(name);
      get(before); // the connection to the server exists before it freezes
      String owner = cluster.nameOf(before.getPort());
      cluster.freeze(owner);
      cluster.await(
          "the region is open elsewhere",
          () -> !location(name).getServerName().equals(before.getServerName()));
      table.put(new Put(ROW).addColumn(FAMILY, FAMILY, Bytes.toBytes("new")));

      assertRefused(owner, () -> get(before));
      assertThatThrownBy(() -> get(before)).as("asked once more").isInstanceOf(Exception.class);
      assertThat(table.get(new Get(ROW)).getValue(FAMILY, FAMILY)).isEqualTo(Bytes.toBytes("new"));
      Admin admin = connection.getAdmin();
      awaitBack(owner, () -> admin.getClusterMetrics().getLiveServerMetrics().size() == 2);
    }
  }

  /** The active master wakes up after the other one has taken over. */
  void anOrderOfAMasterThatWakesUpHasNoEffect() throws Exception {
    TableName name = TableName.valueOf("ordered");
    TableDescriptor descriptor =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    String first = cluster.activeMaster();
    MasterService.BlockingInterface master = patient.getMaster();
    cluster.freeze(first);
    cluster.await(
        "the other master leads",
        () ->
            cluster.local().servingMaster().map(Node::name).filter(first::equals).isEmpty()
                && cluster.local().servingMaster().isPresent());

    assertRefused(
        first,
        () ->
            master.createTable(
                null, RequestConverter.buildCreateTableRequest(descriptor, null, 0, 0)));
    Admin admin = connection.getAdmin();
    assertThat(admin.tableExists(name)).isFalse();
    create(name);
    try (Table table = connection.getTable(name)) {
      assertThat(table.exists(new Get(ROW))).isFalse();
    }
    awaitBack(first, () -> admin.getClusterMetrics().getBackupMasterNames().size() == 1);
  }

  /** Sends a call to a frozen process, lets the process go on, and expects the call to fail. */
  private void assertRefused(String frozen, Callable<?> call) throws Exception {
    Future<?> answer = threads.submit(call);
    cluster.thaw(frozen);
    assertThatThrownBy(answer::get).isInstanceOf(ExecutionException.class);
  }

  /** Waits until a process takes part again; starts it if it has ended. */
  private void awaitBack(String name, Callable<Boolean> condition) throws Exception {
    cluster.await(
        name + " is back",
        () -> {
          if (!cluster.isRunning(name)) {
            cluster.launch(name);
          }
          return condition.call();
        });
  }

  private void create(TableName name) throws IOException {
    connection
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
  }

  private HRegionLocation location(TableName name) throws IOException {
    return connection.getRegionLocator(name).getRegionLocation(ROW, true);
  }

  /** Asks the server of a location itself, as a client does that does not know better. */
  private Object get(HRegionLocation location) throws Exception {
    return patient
        .getClient(location.getServerName())
        .get(
            null,
            RequestConverter.buildGetRequest(location.getRegion().getRegionName(), new Get(ROW)));
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    connection.close();
    patient.close();
  }
}
