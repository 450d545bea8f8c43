package dev.cairn.server.master.service;

import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.service.SettingsReload;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CompactRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionInfoRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionInfoResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionInfoResponse.CompactionState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.UpdateConfigurationRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Implements the master's {@code AdminService}: information on a region, reading the settings
 * again, and compaction of a table's MOB files. A client requests the latter for the table's MOB
 * region, which no server holds ({@link MobDirectory}). The master then runs major compactions of
 * the table's MOB families, which rewrite the values. HBase 2.6 documents the same, but fails
 * because it looks for that region.
 */
final class AdminMethods {
  private AdminMethods() {}

  static RpcService service(
      MasterGate gate, LiveConfig config, List<CallInterceptor> interceptors) {
    RpcService.Builder service = RpcService.builder(MethodTables.ADMIN, interceptors);
    MethodGroup rpc = new MethodGroup(service, gate);
    rpc.region("CompactRegion", CompactRegionRequest.getDefaultInstance(), r -> r.getRegion())
        .ask((master, r) -> compact(master, table(master, gate, r.getRegion()), r));
    rpc.region("GetRegionInfo", GetRegionInfoRequest.getDefaultInstance(), r -> r.getRegion())
        .ask((master, r) -> info(master, r.getRegion()));
    rpc.cluster("UpdateConfiguration", UpdateConfigurationRequest.getDefaultInstance())
        .handle(new SettingsReload(config));
    return service.build();
  }

  /** Requests compactions of a table's MOB files. */
  private static CompactRegionResponse compact(
      ActiveMaster master, Tables.Table table, CompactRegionRequest request) throws IOException {
    byte[] family = request.getFamily().toByteArray();
    List<FamilySchema> families =
        table.schema().families().stream()
            .filter(FamilySchema::isMob)
            .filter(mob -> !request.hasFamily() || has(mob, family))
            .toList();
    if (families.isEmpty()) {
      throw new DoNotRetryIOException(
          (request.hasFamily()
                  ? "The column family " + Bytes.toStringBinary(family)
                  : "No column family")
              + " of the table "
              + table.name()
              + (request.hasFamily() ? " is no" : " is a")
              + " MOB family (IS_MOB): there are no MOB files to compact");
    }
    families.forEach(mob -> master.mobCompactions().request(table, mob));
    return CompactRegionResponse.getDefaultInstance();
  }

  /** Returns the master's information on a region, which may be a MOB region. */
  private static GetRegionInfoResponse info(ActiveMaster master, RegionSpecifier region)
      throws IOException {
    byte[] name = region.getValue().toByteArray();
    Optional<RegionStateNode> node = RegionMethods.find(master, name);
    if (node.isPresent()) {
      return GetRegionInfoResponse.newBuilder()
          .setRegionInfo(Messages.message(node.get().region()))
          .build();
    }
    Tables.Table table = mobTable(master, name).orElseThrow(() -> Assignments.unknown(name));
    // Like HBase, does not report regular compactions here.
    return GetRegionInfoResponse.newBuilder()
        .setRegionInfo(Messages.message(MobDirectory.regionInfo(table.name())))
        .setCompactionState(CompactionState.NONE)
        .build();
  }

  private static boolean has(FamilySchema family, byte[] name) {
    return Bytes.equals(family.name(), name);
  }

  /** Returns the table whose MOB files a region represents. */
  private static Tables.Table table(ActiveMaster master, MasterGate gate, RegionSpecifier region)
      throws IOException {
    byte[] name = region.getValue().toByteArray();
    return mobTable(master, name)
        .orElseThrow(
            () ->
                new NotServingRegionException(
                    Bytes.toStringBinary(name) + " is not online on " + gate.master().self()));
  }

  private static Optional<Tables.Table> mobTable(ActiveMaster master, byte[] name) {
    for (Tables.Table table : master.tables().all()) {
      RegionInfo mob = MobDirectory.regionInfo(table.name());
      if (Bytes.equals(mob.regionName(), name) || mob.encodedName().equals(Bytes.toString(name))) {
        return Optional.of(table);
      }
    }
    return Optional.empty();
  }
}
