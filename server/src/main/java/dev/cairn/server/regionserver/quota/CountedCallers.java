package dev.cairn.server.regionserver.quota;

import dev.cairn.server.rpc.service.Admission;
import dev.cairn.server.rpc.service.CallCheck;
import dev.cairn.server.rpc.service.CallEnd;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodPolicy;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.traffic.Traffic;
import dev.cairn.server.traffic.Traffic.Caller;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * Counts the successful calls of each user and host. Counts one in {@value #EVERY} calls, chosen at
 * random, as {@value #EVERY} calls. Any number of threads.
 *
 * @param random returns evenly distributed numbers; thread-safe
 */
public record CountedCallers(Traffic traffic, IntSupplier random) implements CallInterceptor {
  private static final int EVERY = 32; // a power of two

  @Override
  public <Q> Optional<CallCheck<Q>> check(MethodPolicy method, CallSubject.Reader<Q> subject) {
    Admission counted = new Counted();
    return traffic.isOn()
        ? Optional.of(
            (call, request) -> (random.getAsInt() & EVERY - 1) == 0 ? counted : Admission.FREE)
        : Optional.empty();
  }

  private final class Counted implements Admission {
    @Override
    public void ended(RpcCall call, CallEnd end) {
      if (end instanceof CallEnd.Answered) {
        traffic.called(new Caller(call.user(), call.remoteAddress().getAddress()), EVERY);
      }
    }
  }
}
