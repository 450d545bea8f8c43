package dev.cairn.server.master;

import dev.cairn.server.coordination.RegistryService;
import dev.cairn.server.rpc.RpcService;
import java.util.List;

/** Puts together the services of the master's port. */
final class MasterServices {
  private MasterServices() {}

  static List<RpcService> of(Master master) {
    return List.of(RegistryService.clientMeta(master.world().coordination()::state));
  }
}
