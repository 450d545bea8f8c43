package dev.cairn.coprocessor.environment;

import dev.cairn.engine.time.PhaseTimes;
import dev.cairn.server.regionserver.hooked.HandlerShares.Turn;
import dev.cairn.server.regionserver.hooked.HookedTable;
import dev.cairn.server.rpc.service.RpcCall;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Sets the call of the current thread in HBase's {@code RpcServer}, where hooks look for their
 * caller. While one is open, hooks of the thread find the caller's user and address. One thread.
 */
public final class CallerOfThread implements AutoCloseable {
  private static final CallerOfThread NONE = new CallerOfThread(Turn.UNLIMITED);

  private final Turn turn;

  private CallerOfThread(Turn turn) {
    this.turn = turn;
  }

  /**
   * Sets the thread's call, and takes its handler for the table, unless the call is already set.
   * The caller closes the result.
   *
   * @throws RegionTooBusyException if other calls of the table have its share of handlers
   */
  public static CallerOfThread enter(HookedTable table) throws RegionTooBusyException {
    Optional<RpcCall> call = unset();
    return call.isPresent() ? set(call.get(), table.enter(call.get())) : NONE;
  }

  /** As {@link #enter(HookedTable)}, for what must run in any case. */
  public static CallerOfThread enter() {
    return unset().map(call -> set(call, Turn.UNLIMITED)).orElse(NONE);
  }

  private static Optional<RpcCall> unset() {
    return RpcServer.getCurrentCall().isEmpty()
            && PhaseTimes.current().orElse(null) instanceof RpcCall call
        ? Optional.of(call)
        : Optional.empty();
  }

  private static CallerOfThread set(RpcCall call, Turn turn) {
    RpcServer.setCurrentCall(
        (org.apache.hadoop.hbase.ipc.RpcCall)
            Proxy.newProxyInstance(
                CallerOfThread.class.getClassLoader(),
                new Class<?>[] {org.apache.hadoop.hbase.ipc.RpcCall.class},
                new Shown(call)));
    return new CallerOfThread(turn);
  }

  @Override
  public void close() {
    if (this != NONE) {
      RpcServer.unsetCurrentCall();
      turn.close();
    }
  }

  /** A call as hooks see it. The user is created when it is first requested. */
  private static final class Shown implements InvocationHandler {
    private final RpcCall call;
    private User user;

    Shown(RpcCall call) {
      this.call = call;
    }

    private User user() {
      if (user == null) {
        user = User.create(UserGroupInformation.createRemoteUser(call.user()));
      }
      return user;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return switch (method.getName()) {
        case "getRequestUser" -> call.user().isEmpty() ? Optional.empty() : Optional.of(user());
        case "getRequestUserName" ->
            call.user().isEmpty() ? Optional.empty() : Optional.of(call.user());
        case "getRemoteAddress" -> call.remoteAddress().getAddress();
        case "getRemotePort" -> call.remoteAddress().getPort();
        case "getClientCertificateChain" -> Optional.empty();
        case "getRequestAttributes", "getConnectionAttributes" -> Map.of();
        case "getRequestAttribute", "getCellScanner" -> null;
        case "getDeadline" -> Long.MAX_VALUE;
        case "disconnectSince" -> call.isAbandoned() ? 0L : -1L;
        case "isClientCellBlockSupported" -> call.acceptsCellBlock();
        case "isRetryImmediatelySupported" -> call.clientVersion().isAtLeast(1, 2);
        case "getBlockBytesScanned", "getResponseCellSize", "getResponseExceptionSize" -> 0L;
        case "incrementBlockBytesScanned",
            "incrementResponseCellSize",
            "incrementResponseExceptionSize" ->
            null;
        case "equals" -> proxy == arguments[0];
        case "hashCode" -> System.identityHashCode(proxy);
        case "toString", "toShortString" -> call.user() + " at " + call.remoteAddress();
        default ->
            throw new UnsupportedOperationException(
                "RpcCall." + method.getName() + " is not served by Cairn");
      };
    }
  }
}
