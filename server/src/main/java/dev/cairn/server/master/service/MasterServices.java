package dev.cairn.server.master.service;

import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.coordination.RegistryService;
import dev.cairn.server.master.Master;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcService;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

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
            .later(group(gate, ClusterMethods::register))
            .later(group(gate, TableMethods::register))
            .later(group(gate, ProcedureMethods::register))
            .later(group(gate, NamedProcedureMethods::register))
            .later(group(gate, TableQueryMethods::register))
            .later(group(gate, NamespaceMethods::register))
            .later(group(gate, RegionMethods::register))
            .later(group(gate, RegionShapeMethods::register))
            .later(group(gate, DrainingMethods::register))
            .later(group(gate, NormalizeMethods::register))
            .later(group(gate, rpc -> SwitchMethods.register(rpc, cleaner)))
            .later(group(gate, SnapshotMethods::register))
            .later(group(gate, QuotaMethods::register))
            .later(group(gate, GroupMethods::register))
            .later(group(gate, QuotaMethods::registerSpace))
            .build();
    return List.of(
        service,
        RegionServerStatusMethods.service(gate, ClockSkew.of(config.current()), interceptors),
        AdminMethods.service(gate, config, interceptors),
        HbckMethods.service(gate, interceptors),
        LockMethods.service(gate, interceptors),
        RegistryService.clientMeta(master.context().coordination()::state, interceptors));
  }

  private static Consumer<RpcService.Builder> group(
      MasterGate gate, Consumer<MethodGroup> registration) {
    return service -> registration.accept(new MethodGroup(service, gate));
  }
}
