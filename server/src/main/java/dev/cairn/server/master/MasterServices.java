package dev.cairn.server.master;

import dev.cairn.server.coordination.RegistryService;
import dev.cairn.server.rpc.RpcService;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;

/**
 * Puts together the services of the master's port. Methods that are not here are refused by name.
 */
final class MasterServices {
  private MasterServices() {}

  static List<RpcService> of(Master master) {
    MasterGate gate = new MasterGate(master, MasterGate.START_PATIENCE);
    RpcService.Builder service =
        RpcService.builder("MasterService", MasterProtos.MasterService::getDescriptor);
    ClusterMethods.register(service, gate);
    TableMethods.register(service, gate);
    TableQueryMethods.register(service, gate);
    NamespaceMethods.register(service, gate);
    ProcedureMethods.register(service, gate);
    QuotaMethods.register(service, gate);
    RegionMethods.register(service, gate);
    RegionShapeMethods.register(service, gate);
    SwitchMethods.register(service, gate);
    return List.of(
        service.build(),
        RegionServerStatusMethods.service(gate),
        MobMethods.service(gate),
        RegistryService.clientMeta(master.world().coordination()::state));
  }
}
