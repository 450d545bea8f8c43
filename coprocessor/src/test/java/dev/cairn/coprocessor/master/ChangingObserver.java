package dev.cairn.coprocessor.master;

import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.ColumnAggregationService;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.SumRequest;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.SumResponse;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** A coprocessor of the master that changes what its hooks are given, and has a service. */
public class ChangingObserver extends ColumnAggregationService
    implements MasterCoprocessor, MasterObserver {
  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  @Override
  public Iterable<Service> getServices() {
    return List.of(this);
  }

  @Override
  public void sum(RpcController controller, SumRequest request, RpcCallback<SumResponse> done) {
    switch (request.getFamily().toStringUtf8()) {
      case "refused" ->
          CoprocessorRpcUtils.setControllerException(
              controller, new AccessDeniedException("refused by the service"));
      case "broken" -> throw new IllegalStateException("broken");
      default -> done.run(SumResponse.newBuilder().setSum(11).build());
    }
  }

  @Override
  public TableDescriptor preCreateTableRegionsInfos(
      ObserverContext<MasterCoprocessorEnvironment> context, TableDescriptor table) {
    return TableDescriptorBuilder.newBuilder(table)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("added"))
        .build();
  }

  @Override
  public TableDescriptor preModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableName name,
      TableDescriptor present,
      TableDescriptor wanted) {
    return TableDescriptorBuilder.newBuilder(wanted)
        .setValue("families before", String.valueOf(present.getColumnFamilyCount()))
        .build();
  }

  @Override
  public String preModifyTableStoreFileTracker(
      ObserverContext<MasterCoprocessorEnvironment> context, TableName name, String wanted) {
    return "FILE";
  }

  @Override
  public void preCreateTable(
      ObserverContext<MasterCoprocessorEnvironment> context,
      TableDescriptor table,
      RegionInfo[] regions)
      throws IOException {
    if (table.getTableName().getNameAsString().equals("broken")) {
      throw new IllegalStateException("a mistake");
    }
    if (table.getTableName().getNameAsString().equals("bypassed")) {
      context.bypass();
    }
  }

  @Override
  public void preCreateNamespace(
      ObserverContext<MasterCoprocessorEnvironment> context, NamespaceDescriptor namespace) {
    namespace.setConfiguration("made", "here");
  }

  @Override
  public void postListNamespaces(
      ObserverContext<MasterCoprocessorEnvironment> context, List<String> names) {
    names.remove("hbase");
  }

  @Override
  public void postListNamespaceDescriptors(
      ObserverContext<MasterCoprocessorEnvironment> context, List<NamespaceDescriptor> all) {
    all.removeIf(one -> one.getName().equals("hbase"));
  }

  @Override
  public void postGetTableDescriptors(
      ObserverContext<MasterCoprocessorEnvironment> context,
      List<TableName> names,
      List<TableDescriptor> tables,
      String pattern) {
    tables.removeIf(table -> table.getTableName().getNameAsString().startsWith("hidden"));
  }

  @Override
  public void postGetTableNames(
      ObserverContext<MasterCoprocessorEnvironment> context,
      List<TableDescriptor> tables,
      String pattern) {
    tables.removeIf(table -> table.getTableName().getNameAsString().startsWith("hidden"));
  }

  @Override
  public void preListSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> context, SnapshotDescription snapshot)
      throws IOException {
    if (snapshot.getName().startsWith("hidden")) {
      throw new AccessDeniedException("hidden");
    }
  }
}
