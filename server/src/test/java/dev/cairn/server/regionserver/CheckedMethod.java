package dev.cairn.server.regionserver;

import dev.cairn.server.rpc.service.AnswerCheck;
import dev.cairn.server.rpc.service.CallCheck;
import dev.cairn.server.rpc.service.CallEnd;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallOutcome;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.CallWork;
import dev.cairn.server.rpc.service.MethodPolicy;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcMethod;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/** A method of {@code ClientService} behind interceptors, without a server. */
public record CheckedMethod<Q, R>(RpcMethod<Q, R> method) {
  public static <Q, R> CheckedMethod<Q, R> of(
      String name,
      List<CallInterceptor> interceptors,
      CallSubject.Reader<Q> subject,
      RpcMethod.Handler<Q, R> handler) {
    MethodPolicy policy = MethodTables.CLIENT.find(name).orElseThrow();
    List<CallCheck<Q>> checks =
        interceptors.stream()
            .flatMap(interceptor -> interceptor.check(policy, subject).stream())
            .toList();
    return new CheckedMethod<>(
        new RpcMethod<>(
            policy,
            message -> {
              throw new InvalidProtocolBufferException("requests come as objects");
            },
            subject,
            checks,
            handler,
            Optional.empty(),
            response -> {
              throw new IllegalStateException("nothing is sent");
            },
            AnswerCheck.NONE,
            Optional.empty()));
  }

  /** Runs a call with its present budget, to its end if it ends. */
  public CallOutcome<R> run(RpcCall call, Q request) throws IOException {
    return run(new CallWork<>(method), call, request);
  }

  /** As {@link #run(RpcCall, Object)}, for a call that may have begun. */
  public static <Q, R> CallOutcome<R> run(CallWork<Q, R> work, RpcCall call, Q request)
      throws IOException {
    try {
      CallOutcome<R> outcome = work.run(call, request);
      if (outcome instanceof CallOutcome.Answered) {
        work.end(call, new CallEnd.Answered(0));
      } else if (outcome instanceof CallOutcome.Deferred<R> deferred) {
        deferred
            .response()
            .whenComplete(
                (response, failure) ->
                    work.end(
                        call,
                        failure == null
                            ? new CallEnd.Answered(0)
                            : new CallEnd.Failed(new IOException(failure))));
      }
      return outcome;
    } catch (IOException e) {
      work.end(call, new CallEnd.Failed(e));
      throw e;
    }
  }
}
