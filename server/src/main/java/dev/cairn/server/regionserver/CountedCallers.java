package dev.cairn.server.regionserver;

import dev.cairn.server.rpc.CallInterceptor;
import dev.cairn.server.rpc.CallOutcome;
import dev.cairn.server.rpc.MethodPolicy;
import dev.cairn.server.rpc.RpcCall;
import dev.cairn.server.rpc.RpcMethod;
import dev.cairn.server.traffic.Caller;
import dev.cairn.server.traffic.Traffic;
import java.util.function.IntSupplier;

/**
 * Counts the successful calls of each user and host. Counts one in {@value #EVERY} calls, chosen at
 * random, as {@value #EVERY} calls. Any number of threads.
 *
 * @param random returns evenly distributed numbers; thread-safe
 */
record CountedCallers(Traffic traffic, IntSupplier random) implements CallInterceptor {
  private static final int EVERY = 32; // a power of two

  @Override
  public <Q, R> RpcMethod.Handler<Q, R> around(MethodPolicy method, RpcMethod.Handler<Q, R> next) {
    return traffic.isOn()
        ? (call, request) -> {
          CallOutcome<R> outcome = next.handle(call, request);
          if ((random.getAsInt() & EVERY - 1) == 0 && !comesAgain(outcome)) {
            count(call);
          }
          return outcome;
        }
        : next;
  }

  /** Tells whether the call passes this interceptor again, on its handler. */
  private static boolean comesAgain(CallOutcome<?> outcome) {
    return outcome == CallOutcome.Declined.DECLINED
        || outcome instanceof CallOutcome.Unfinished<?> unfinished
            && unfinished.continuation().isEmpty();
  }

  private void count(RpcCall call) {
    traffic.called(new Caller(call.user(), call.remoteAddress().getAddress()), EVERY);
  }
}
