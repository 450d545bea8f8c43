package dev.cairn.server.regionserver;

import dev.cairn.engine.memory.MemoryShortageException;
import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.filter.FilterParser;
import dev.cairn.server.quota.Throttles;
import dev.cairn.server.request.ConditionDecoder;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.MultiMessage;
import dev.cairn.server.request.MutateMessage;
import dev.cairn.server.request.MutationDecoder;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.request.ScanMessage;
import dev.cairn.server.rpc.Attempt;
import dev.cairn.server.rpc.RpcMethod;
import dev.cairn.server.rpc.RpcService;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;

/** Wires the methods of {@code ClientService}. Bulk load is not supported and refused by name. */
public final class ClientCalls {
  private ClientCalls() {}

  /** Returns the service. */
  public static RpcService service(
      ServerState state,
      OnlineRegions regions,
      OpenScanners scanners,
      Nonces nonces,
      ClassLoader filterClasses,
      EvaluationGuard evaluations,
      CallTimes times,
      CallLimits limits,
      Throttles throttles) {
    FilterParser filters = new FilterParser(filterClasses, evaluations);
    QueryDecoder queries = new QueryDecoder(filters);
    MutationDecoder mutations = new MutationDecoder(limits.cellSize());
    ConditionDecoder conditions = new ConditionDecoder(filters);
    GetCalls gets = new GetCalls(regions, queries, limits);
    MutateCalls mutates =
        new MutateCalls(regions, mutations, conditions, new NumberedChanges(nonces), times);
    CoprocessorCalls services =
        new CoprocessorCalls(
            regions,
            new MultiRowMutations(mutations, conditions, new NumberedChanges(nonces)),
            times);
    MultiCalls multis =
        new MultiCalls(regions, gets, services, mutations, conditions, nonces, times, limits);
    ScanCalls scans = new ScanCalls(regions, scanners, queries, times, limits);
    ThrottledCalls throttled = new ThrottledCalls(regions, scanners, throttles);
    TimedEvaluations timed = new TimedEvaluations(evaluations, times);
    Guard guard = new Guard(state);
    return RpcService.builder("ClientService", ClientService::getDescriptor)
        .on(
            RpcMethod.of(
                "Get",
                GetMessage::parse,
                guard.around(timed.around(throttled.get(patient(gets::get)))),
                Optional.of(guard.quick(throttled.unlessActive(gets::attempt)))))
        .on(
            RpcMethod.of(
                "Mutate",
                MutateMessage::parse,
                guard.around(timed.around(throttled.mutate(mutates::mutate))),
                Optional.of(guard.quick(throttled.unlessActive(mutates::tryMutate)))))
        .on(
            RpcMethod.of(
                "Multi",
                MultiMessage::parse,
                guard.around(timed.around(throttled.multi(multis::multi))),
                Optional.empty()))
        .on(
            new RpcMethod<>(
                "Scan",
                ScanMessage::parse,
                guard.around(timed.around(throttled.scan(patient(scans::scan)))),
                Optional.of(guard.quick(throttled.unlessActive(scans::attempt))),
                answer -> answer))
        .on(
            "ExecService",
            CoprocessorServiceRequest.getDefaultInstance(),
            guard.around(timed.around(services::onRegion)))
        .on(
            "ExecRegionServerService",
            CoprocessorServiceRequest.getDefaultInstance(),
            guard.around(services::onServer))
        .build();
  }

  /** Wraps a read-only method: after a shortage of memory, waits and runs the method again. */
  static <Q, R> RpcMethod.Handler<Q, R> patient(RpcMethod.Handler<Q, R> handler) {
    return (call, request) -> {
      while (true) {
        try {
          return handler.handle(call, request);
        } catch (MemoryShortageException e) {
          if (e.isPermanent()) {
            throw e;
          }
          call.memory().await(e);
        }
      }
    };
  }

  /**
   * Stands before every method: lets calls in while the server serves, and turns what they throw
   * into what clients know.
   */
  record Guard(ServerState state) {
    <Q, R> RpcMethod.Handler<Q, R> around(RpcMethod.Handler<Q, R> handler) {
      return (call, request) -> {
        state.checkServing();
        try {
          return handler.handle(call, request);
        } catch (IOException | RuntimeException e) {
          throw EngineErrors.forClient(e);
        }
      };
    }

    /** As {@link #around}, of the calls that are answered on the network thread. */
    <Q, R> RpcMethod.Quick<Q, R> quick(RpcMethod.Quick<Q, R> quick) {
      return (call, request) -> {
        state.checkServing();
        Attempt<R> attempt;
        try {
          attempt = quick.attempt(call, request);
        } catch (MemoryShortageException e) {
          return Attempt.declined(); // a handler thread may wait for memory
        } catch (IOException | RuntimeException e) {
          throw EngineErrors.forClient(e);
        }
        if (attempt instanceof Attempt.Later<R> later) {
          return new Attempt.Later<>(later.response(), e -> told(later.errors().apply(e)));
        }
        return attempt instanceof Attempt.Begun<R> begun
            ? new Attempt.Begun<>(new GuardedRest<>(begun.rest()))
            : attempt;
      };
    }

    private record GuardedRest<R>(Attempt.Rest<R> rest) implements Attempt.Rest<R> {
      @Override
      public R finish() throws IOException {
        try {
          return rest.finish();
        } catch (IOException | RuntimeException e) {
          throw EngineErrors.forClient(e);
        }
      }

      @Override
      public void drop() {
        rest.drop();
      }
    }

    private static Throwable told(Throwable error) {
      return error instanceof Error ? error : EngineErrors.forClient(error);
    }
  }
}
