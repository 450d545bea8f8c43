package dev.cairn.server.regionserver.client;

import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.filter.FilterParser;
import dev.cairn.server.regionserver.hosted.EngineErrors;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.hosted.RegionServices;
import dev.cairn.server.request.ConditionDecoder;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.MultiMessage;
import dev.cairn.server.request.MutateMessage;
import dev.cairn.server.request.MutationDecoder;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.request.RequestSubjects;
import dev.cairn.server.request.ScanMessage;
import dev.cairn.server.rpc.service.AnswerCheck;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.InlineBackoff;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.wire.ResponseBody;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CleanupBulkLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.PrepareBulkLoadRequest;

/** Wires the methods of {@code ClientService}. */
public final class ClientCalls {
  private ClientCalls() {}

  /**
   * Returns the service.
   *
   * @param ofServer the services of the server itself
   * @param before interceptors of all methods, the first outermost
   * @param answers decides whether an answer may be sent
   */
  public static RpcService service(
      OnlineRegions regions,
      OpenScanners scanners,
      NonceManager nonces,
      ClassLoader filterClasses,
      EvaluationGuard evaluations,
      CallTimes times,
      Supplier<CallLimits> limits,
      BulkLoadCalls loads,
      RegionServices ofServer,
      List<CallInterceptor> before,
      AnswerCheck answers) {
    FilterParser filters = new FilterParser(filterClasses, evaluations);
    QueryDecoder queries = new QueryDecoder(filters);
    MutationDecoder mutations = new MutationDecoder(limits.get().cellSize());
    ConditionDecoder conditions = new ConditionDecoder(filters);
    GetCalls gets = new GetCalls(regions, queries, limits.get());
    MutateCalls mutates =
        new MutateCalls(regions, mutations, conditions, new NonceGuard(nonces), times);
    CoprocessorCalls services =
        new CoprocessorCalls(
            regions,
            new MultiRowMutations(mutations, conditions, new NonceGuard(nonces)),
            ofServer,
            times);
    MultiCalls multis =
        new MultiCalls(regions, gets, services, mutations, conditions, nonces, times, limits);
    ScanCalls scans = new ScanCalls(regions, scanners, queries, times, limits);
    return RpcService.builder(MethodTables.CLIENT, before)
        .answering(answers)
        .failing(EngineErrors::forClient)
        .on(
            "Get",
            GetMessage::parse,
            RequestSubjects::of,
            gets::get,
            Optional.empty(),
            ResponseBody::of)
        .on(
            "Mutate",
            MutateMessage::parse,
            RequestSubjects::of,
            mutates::mutate,
            Optional.empty(),
            ResponseBody::of)
        .on(
            "Multi",
            MultiMessage::parse,
            RequestSubjects::of,
            RpcMethod.blocking(multis::multi),
            Optional.empty(),
            ResponseBody::of)
        .on(
            "Scan",
            ScanMessage::parse,
            RequestSubjects::of,
            scans::scan,
            Optional.of(new InlineBackoff<>(ScanCalls::kind)),
            answer -> answer)
        .on(
            "ExecService",
            CoprocessorServiceRequest.getDefaultInstance(),
            (call, request) -> CallSubject.region(request.getRegion()),
            services::onRegion)
        .on(
            "ExecRegionServerService",
            CoprocessorServiceRequest.getDefaultInstance(),
            CallSubject::cluster,
            services::onServer)
        .on(
            "PrepareBulkLoad",
            PrepareBulkLoadRequest.getDefaultInstance(),
            (call, request) -> CallSubject.region(request.getRegion()),
            loads::prepare)
        .on(
            "BulkLoadHFile",
            BulkLoadHFileRequest.getDefaultInstance(),
            BulkLoadCalls::subject,
            loads::load)
        .on(
            "CleanupBulkLoad",
            CleanupBulkLoadRequest.getDefaultInstance(),
            (call, request) -> CallSubject.region(request.getRegion()),
            loads::cleanUp)
        .build();
  }
}
