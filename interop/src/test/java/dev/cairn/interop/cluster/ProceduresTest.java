package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.ServerTask;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.master.assignment.TransitRegionStateProcedure;
import org.apache.hadoop.hbase.master.procedure.ServerCrashProcedure;
import org.apache.hadoop.hbase.procedure2.Procedure;
import org.apache.hadoop.hbase.procedure2.ProcedureUtil;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HBase's own admin and procedure classes read what the master does about a dead server. */
@Timeout(300)
class ProceduresTest {
  private static final TableName TABLE = TableName.valueOf("listed");
  private static final int TIMEOUT_MILLIS = 30_000;

  @TempDir private Path folder;

  @Test
  void aCrashAndTheAssignmentsAfterItAreListedWithTheirLocks() throws Exception {
    try (ClusterProcesses cluster =
            ClusterProcesses.onLocalFolder(
                folder, 1, 1, Map.of("zookeeper.session.timeout", "6000"));
        Connection connection = ConnectionFactory.createConnection(cluster.client())) {
      Admin admin = connection.getAdmin();
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build(),
          new byte[][] {Bytes.toBytes("m")});
      ServerName server = admin.getRegionServers().iterator().next();
      Path obstacle = putInTheWayOfRecovery(server);

      cluster.kill("rs1");
      cluster.await(
          "the crash is listed", () -> admin.getProcedures().contains("ServerCrashProcedure"));
      List<Procedure<?>> procedures = procedures(cluster.client(), admin.getMaster());
      assertThat(procedures)
          .filteredOn(ServerCrashProcedure.class::isInstance)
          .extracting(procedure -> ((ServerCrashProcedure) procedure).getServerName())
          .containsExactly(server);
      assertThat(
              procedures.stream()
                  .filter(TransitRegionStateProcedure.class::isInstance)
                  .map(procedure -> ((TransitRegionStateProcedure) procedure).getRegion())
                  .map(RegionInfo::getTable)
                  .filter(TABLE::equals))
          .hasSize(2);
      Set<String> regions =
          procedures.stream()
              .filter(TransitRegionStateProcedure.class::isInstance)
              .map(procedure -> ((TransitRegionStateProcedure) procedure).getRegion())
              .map(RegionInfo::getEncodedName)
              .collect(Collectors.toSet());
      assertThat(admin.getLocks()).contains(server.getServerName(), "SERVER", "REGION");
      assertThat(admin.getLocks()).contains(regions);
      ClusterMetrics metrics = admin.getClusterMetrics();
      assertThat(metrics.getMasterTasks())
          .extracting(ServerTask::getDescription)
          .contains("Recovering the log of " + server);
      assertThat(metrics.getRegionStatesInTransition())
          .extracting(state -> state.getRegion().getEncodedName())
          .containsAll(regions);
      assertThat(metrics.getDeadServerNames()).containsExactly(server);

      Files.delete(obstacle);
      cluster.launch("rs1");
      cluster.awaitServing();
      cluster.await(
          "all is served",
          () -> admin.isTableAvailable(TABLE) && !admin.getLocks().contains("REGION"));
      assertThat(procedures(cluster.client(), admin.getMaster()))
          .allMatch(Procedure::isSuccess)
          .hasAtLeastOneElementOfType(ServerCrashProcedure.class)
          .doesNotHaveAnyElementsOfTypes(TransitRegionStateProcedure.class);
    }
  }

  /** A file has the name that the log's directory gets when it is taken over. */
  private Path putInTheWayOfRecovery(ServerName server) throws IOException {
    return Files.createFile(folder.resolve("root/WALs/" + server.getServerName() + "-splitting"));
  }

  private static List<Procedure<?>> procedures(Configuration client, ServerName master)
      throws Exception {
    try (RpcClient rpc = RpcClientFactory.createClient(client, HConstants.CLUSTER_ID_DEFAULT)) {
      List<ProcedureProtos.Procedure> messages =
          MasterService.newBlockingStub(
                  rpc.createBlockingRpcChannel(master, User.getCurrent(), TIMEOUT_MILLIS))
              .getProcedures(null, GetProceduresRequest.getDefaultInstance())
              .getProcedureList();
      List<Procedure<?>> procedures = new ArrayList<>();
      for (ProcedureProtos.Procedure message : messages) {
        procedures.add(ProcedureUtil.convertToProcedure(message));
      }
      return procedures;
    }
  }
}
