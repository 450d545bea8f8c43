package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.process.SharedHBase;
import dev.cairn.interop.waiting.Eventually;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetProcedureResultResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SplitTableRegionRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Splits and merges that a table's SPLIT_ENABLED and MERGE_ENABLED, or the switches, forbid:
 * refused by the call or by its procedure, with the same class of exception as HBase's.
 */
class ForbiddenShapesTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();
  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  private static final TableName TABLE = TableName.valueOf("forbidden-shapes");
  private static final byte[] ROW = toBytes("b");
  private static final int TIMEOUT_MILLIS = 60_000;

  /** A request to the master that returns the number of its procedure. */
  private interface Request {
    long send(MasterService.BlockingInterface master, List<RegionInfo> regions) throws Exception;
  }

  private static long split(MasterService.BlockingInterface master, List<RegionInfo> regions)
      throws Exception {
    SplitTableRegionRequest split =
        SplitTableRegionRequest.newBuilder()
            .setRegionInfo(ProtobufUtil.toRegionInfo(regions.get(0)))
            .setSplitRow(ByteString.copyFrom(ROW))
            .build();
    return master.splitRegion(null, split).getProcId();
  }

  private static long merge(MasterService.BlockingInterface master, List<RegionInfo> regions)
      throws Exception {
    byte[][] names = regions.stream().map(RegionInfo::getEncodedNameAsBytes).toArray(byte[][]::new);
    return master
        .mergeTableRegions(null, RequestConverter.buildMergeTableRegionsRequest(names, false, 1, 2))
        .getProcId();
  }

  @Test
  void aTableThatForbidsSplits() throws Exception {
    assertThat(outcome(SERVER.configuration(), ForbiddenShapesTest::split, false))
        .isEqualTo(outcome(HBASE.configuration(), ForbiddenShapesTest::split, false));
  }

  @Test
  void aTableThatForbidsMerges() throws Exception {
    assertThat(outcome(SERVER.configuration(), ForbiddenShapesTest::merge, false))
        .isEqualTo(outcome(HBASE.configuration(), ForbiddenShapesTest::merge, false));
  }

  @Test
  void theSwitchOfSplits() throws Exception {
    assertThat(outcome(SERVER.configuration(), ForbiddenShapesTest::split, true))
        .isEqualTo(outcome(HBASE.configuration(), ForbiddenShapesTest::split, true));
  }

  @Test
  void theSwitchOfMerges() throws Exception {
    assertThat(outcome(SERVER.configuration(), ForbiddenShapesTest::merge, true))
        .isEqualTo(outcome(HBASE.configuration(), ForbiddenShapesTest::merge, true));
  }

  /**
   * Returns when and how a request fails.
   *
   * @param bySwitch whether the switches forbid it, instead of the table
   */
  private static String outcome(Configuration configuration, Request request, boolean bySwitch)
      throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin();
        RpcClient rpc =
            RpcClientFactory.createClient(configuration, HConstants.CLUSTER_ID_DEFAULT)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .setSplitEnabled(bySwitch)
              .setMergeEnabled(bySwitch)
              .build(),
          new byte[][] {toBytes("m")});
      boolean splits = admin.splitSwitch(!bySwitch, true);
      boolean merges = admin.mergeSwitch(!bySwitch, true);
      try {
        ServerName master = admin.getClusterMetrics().getMasterName();
        String outcome =
            outcome(
                MasterService.newBlockingStub(
                    rpc.createBlockingRpcChannel(master, User.getCurrent(), TIMEOUT_MILLIS)),
                request,
                admin.getRegions(TABLE));
        assertThat(admin.getRegions(TABLE)).hasSize(2);
        return outcome;
      } finally {
        admin.splitSwitch(splits, true);
        admin.mergeSwitch(merges, true);
        admin.disableTable(TABLE);
        admin.deleteTable(TABLE);
      }
    }
  }

  private static String outcome(
      MasterService.BlockingInterface master, Request request, List<RegionInfo> regions)
      throws Exception {
    long procedure;
    try {
      procedure = request.send(master, regions);
    } catch (ServiceException e) {
      return "the call: " + ProtobufUtil.handleRemoteException(e).getClass().getName();
    }
    AtomicReference<GetProcedureResultResponse> result = new AtomicReference<>();
    Eventually.holds(
        () -> {
          result.set(
              master.getProcedureResult(
                  null, GetProcedureResultRequest.newBuilder().setProcId(procedure).build()));
          return result.get().getState() == GetProcedureResultResponse.State.FINISHED;
        },
        "procedure " + procedure + " ends");
    return "the procedure: "
        + (result.get().hasException()
            ? result.get().getException().getGenericException().getClassName()
            : "no error");
  }
}
