package dev.cairn.server.master.service;

import dev.cairn.server.catalog.GroupMessages;
import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcMethod.BlockingHandler;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Calls the hooks of coprocessors around a method, on its handler. A master that does not lead, or
 * is not initialized, refuses a call before hooks see it. A repeated request gets the procedure of
 * the first one, without hooks.
 *
 * @param name the name of the method, as {@link MasterHooks#concerns} takes it
 * @param nonce returns the nonce of a request; a repeated request has the same one
 */
record HookedMethod<Q extends Message, R extends Message>(
    MasterGate gate, String name, Function<Q, Optional<Nonce>> nonce, BlockingHandler<Q, R> handler)
    implements BlockingHandler<Q, R> {
  /** Methods that a standby master answers, too; it has no hooks. */
  private static final Set<String> OF_ANY_MASTER =
      Set.of("StopMaster", "Shutdown", "AdminService.UpdateConfiguration");

  /** Methods of {@code MasterService} without hooks that are answered before the initialization. */
  private static final Set<String> WITHOUT_HOOKS =
      Set.of("IsMasterRunning", "IsMasterInMaintenanceMode", "getSecurityCapabilities");

  /** The other services with hooks. Region servers call the rest before the initialization. */
  private static final Set<String> SERVICES =
      Set.of(MethodTables.LOCK.service(), MethodTables.ADMIN.service());

  /** Returns a method with hooks; the method itself if the site names no coprocessors. */
  static <Q extends Message, R extends Message> BlockingHandler<Q, R> of(
      MasterGate gate,
      String name,
      Function<Q, Optional<Nonce>> nonce,
      BlockingHandler<Q, R> handler) {
    int dot = name.indexOf('.');
    boolean mayHave =
        dot < 0
            ? !WITHOUT_HOOKS.contains(name)
            : SERVICES.contains(name.substring(0, dot)) || name.startsWith(GroupMessages.SERVICE);
    return mayHave && gate.master().context().hooks().isUsed()
        ? new HookedMethod<>(gate, name, nonce, handler)
        : handler;
  }

  @Override
  public R handle(RpcCall call, Q request) throws IOException {
    if (!OF_ANY_MASTER.contains(name)) {
      gate.ask(call, master -> true);
    }
    MasterHooks hooks = gate.master().hooks();
    if (!hooks.concerns(name)) {
      return handler.handle(call, request);
    }
    return gate.once(
        call,
        nonce.apply(request),
        () -> handler.handle(call, request),
        () ->
            hooks.around(
                name,
                request,
                changed -> {
                  gate.requireTime(call, name);
                  return handler.handle(call, changed);
                }));
  }
}
