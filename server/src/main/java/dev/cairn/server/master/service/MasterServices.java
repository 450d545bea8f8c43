package dev.cairn.server.master.service;

import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.coordination.RegistryService;
import dev.cairn.server.master.Master;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcService;
import java.io.IOException;
import java.util.List;

/**
 * Puts together the services of the master's port. Methods that are not here are refused by name.
 */
public final class MasterServices {
  private MasterServices() {}

  /** Deletes archived files that are not needed any more. */
  @FunctionalInterface
  public interface Cleaner {
    /** Looks once for such files and deletes them. May wait. */
    void clean() throws IOException;
  }

  /**
   * Returns the services of {@code master}, which answer as soon as it leads.
   *
   * @param config the settings of its process
   * @param cleaner runs when a client asks for it
   * @param interceptors stand before all methods, the first outermost
   */
  public static List<RpcService> of(
      Master master, LiveConfig config, Cleaner cleaner, List<CallInterceptor> interceptors) {
    MasterGate gate = new MasterGate(master, MasterGate.START_PATIENCE);
    // The first call of a client comes first.
    RpcService service =
        RpcService.builder(MethodTables.MASTER, interceptors)
            .later(methods -> ClusterMethods.register(methods, gate))
            .later(methods -> TableMethods.register(methods, gate))
            .later(methods -> ProcedureMethods.register(methods, gate))
            .later(methods -> NamedProcedureMethods.register(methods, gate))
            .later(methods -> TableQueryMethods.register(methods, gate))
            .later(methods -> NamespaceMethods.register(methods, gate))
            .later(methods -> RegionMethods.register(methods, gate))
            .later(methods -> RegionShapeMethods.register(methods, gate))
            .later(methods -> NormalizeMethods.register(methods, gate))
            .later(methods -> SwitchMethods.register(methods, gate, cleaner))
            .later(methods -> SnapshotMethods.register(methods, gate))
            .later(methods -> QuotaMethods.register(methods, gate))
            .later(methods -> QuotaMethods.registerSpace(methods, gate))
            .build();
    return List.of(
        service,
        RegionServerStatusMethods.service(gate, ClockSkew.of(config.current()), interceptors),
        AdminMethods.service(gate, config, interceptors),
        HbckMethods.service(gate, interceptors),
        LockMethods.service(gate, interceptors),
        RegistryService.clientMeta(master.world().coordination()::state, interceptors));
  }
}
