package dev.cairn.server.master.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.ddl.CreateTableProcedure;
import dev.cairn.server.master.ddl.NamespaceProcedure;
import dev.cairn.server.master.procedure.ProcedureKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.quotas.QuotaExceededException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A namespace that may have three regions has a table with two. */
class NamespaceQuotaTest {
  private static final TableName TABLE = TableName.parse("shop:orders");

  private final SimulatedCluster cluster = new SimulatedCluster();
  private final List<RegionInfo> splitting = new ArrayList<>();
  private NamespaceQuota quota;
  private List<RegionInfo> regions;

  @BeforeEach
  void start() throws IOException {
    cluster.addServer(new ServerName("one", 16020, 1));
    cluster.startUp();
    cluster.runUntil(cluster::isIdle);
    cluster.run(
        new NamespaceProcedure(
            cluster.active().procedureContext(),
            ProcedureKind.CREATE_NAMESPACE,
            NamespaceDescriptor.newBuilder()
                .setName(ByteString.copyFromUtf8(TABLE.namespace()))
                .addConfiguration(
                    NameStringPair.newBuilder()
                        .setName("hbase.namespace.quota.maxregions")
                        .setValue("3"))
                .build(),
            namespace -> false));
    cluster.run(
        new CreateTableProcedure(
            cluster.active().procedureContext(),
            "user",
            TableSchema.of(TABLE, FamilySchema.of("f")),
            List.of(Bytes.utf8("m"))));
    quota =
        new NamespaceQuota(
            true,
            cluster.active().tables(),
            cluster.active().namespaces(),
            cluster.active().assignments(),
            table -> false,
            splitting::stream);
    regions = cluster.active().assignments().regionsOf(TABLE);
    assertThat(regions).hasSize(2);
  }

  @Test
  void theSecondOfTwoConcurrentSplitsIsRefused() throws IOException {
    splitting.add(regions.get(0));
    quota.checkSplit(regions.get(0));
    splitting.add(regions.get(1));
    assertThatThrownBy(() -> quota.checkSplit(regions.get(1)))
        .isInstanceOf(QuotaExceededException.class)
        .hasMessageContaining("3 regions of 3");
  }

  @Test
  void aDecidedSplitIsNotCountedAgain() throws IOException {
    splitting.add(new RegionInfo(TABLE, Bytes.EMPTY, Bytes.EMPTY, 1)); // a parent that is gone
    quota.checkSplit(regions.get(1));
  }
}
