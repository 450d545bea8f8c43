package dev.cairn.server.regionserver;

import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.regionserver.admin.AdminCalls;
import dev.cairn.server.regionserver.admin.AdminRegionCalls;
import dev.cairn.server.regionserver.admin.AdminServerCalls;
import dev.cairn.server.regionserver.admin.AssignmentCalls;
import dev.cairn.server.regionserver.admin.FileCalls;
import dev.cairn.server.regionserver.admin.SlowLogCalls;
import dev.cairn.server.regionserver.admin.SnapshotCalls;
import dev.cairn.server.regionserver.client.BulkLoadCalls;
import dev.cairn.server.regionserver.client.CallTimes;
import dev.cairn.server.regionserver.client.ClientCalls;
import dev.cairn.server.regionserver.client.TimedEvaluations;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.logs.WalSplits;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import dev.cairn.server.regionserver.membership.MasterEpochs;
import dev.cairn.server.regionserver.membership.MasterWriteFence;
import dev.cairn.server.regionserver.membership.ProcedureReporter;
import dev.cairn.server.regionserver.membership.ServerState;
import dev.cairn.server.regionserver.membership.ServingCheck;
import dev.cairn.server.regionserver.membership.ServingLease;
import dev.cairn.server.regionserver.quota.CountedCallers;
import dev.cairn.server.regionserver.quota.ThrottledCalls;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.RpcService;
import dev.cairn.server.rpc.service.SettingsReload;
import java.util.ArrayList;
import java.util.List;

/** Creates the services on a region server's port. */
final class RegionServerServices {
  private final SharedParts shared;
  private final RegionServerContext context;
  private final ClientState clients;
  private final MasterEpochs epochs;
  private final CallTimes callTimes;
  private final EvaluationGuard evaluations;
  private final List<CallInterceptor> interceptors;

  private RegionServerServices(SharedParts shared, ClientState clients, QuotaEnforcement quotas) {
    Clock clock = shared.clock();
    this.shared = shared;
    this.context = shared.context();
    this.clients = clients;
    this.epochs = new MasterEpochs(clock);
    this.callTimes = new CallTimes(clock, clients.limits().get().rpcTimeoutMillis());
    this.evaluations = new EvaluationGuard(clock, shared.executors().timer());
    this.interceptors = interceptors(quotas);
  }

  /**
   * Returns ClientService, AdminService and SnapshotService.
   *
   * @param stop begins to stop the server
   */
  static List<RpcService> of(
      SharedParts shared,
      ClientState clients,
      Maintenance maintenance,
      QuotaEnforcement quotas,
      ServerReports reports,
      RegionAssignment assignment,
      ReplicaSync replicas,
      AdminServerCalls.Stop stop) {
    RegionServerServices services = new RegionServerServices(shared, clients, quotas);
    return List.of(
        services.client(),
        services.admin(maintenance, quotas, reports, assignment, replicas, stop),
        new SnapshotCalls(shared.regions()).service(services.interceptors));
  }

  /** Returns what the calls of all services pass, the first outermost. */
  private List<CallInterceptor> interceptors(QuotaEnforcement quotas) {
    RegionServerContext.Calls calls = context.calls();
    List<CallInterceptor> before = new ArrayList<>(calls.interceptors());
    before.add(new ServingCheck(shared.state()));
    before.add(new MasterWriteFence(epochs));
    before.add(new TimedEvaluations(evaluations, callTimes));
    before.add(new ThrottledCalls(shared.regions(), clients.scanners(), quotas.throttles()));
    before.add(new CountedCallers(calls.traffic(), calls.load().random()));
    return before;
  }

  private RpcService client() {
    RegionServerContext.Files files = context.files();
    return ClientCalls.service(
        shared.regions(),
        clients.scanners(),
        clients.nonces(),
        context.calls().filterClasses(),
        evaluations,
        callTimes,
        clients.limits(),
        new BulkLoadCalls(
            shared.regions(),
            files.staging(),
            files.sourceFiles(),
            shared.config().get(MaintenanceSettings.VERIFY_BULK_LOADS)
                ? BulkLoadRequest.Check.ALL
                : BulkLoadRequest.Check.ENDS),
        context.calls().hooks().services(),
        interceptors,
        new ServingLease(shared.state(), context.cluster().lease().isOver()));
  }

  private RpcService admin(
      Maintenance maintenance,
      QuotaEnforcement quotas,
      ServerReports reports,
      RegionAssignment assignment,
      ReplicaSync replicas,
      AdminServerCalls.Stop stop) {
    ServerState state = shared.state();
    OnlineRegions regions = shared.regions();
    RegionServerContext.Files files = context.files();
    return AdminCalls.service(
        new AdminRegionCalls(
            regions, maintenance.splits(), maintenance.compactions(), reports.loads()),
        new AdminServerCalls(
            state,
            context.cluster().lease().endsIfOver(),
            maintenance.log(),
            reports.loads(),
            quotas.space(),
            stop),
        new AssignmentCalls(
            state, epochs, regions, assignment.opener(), assignment.closer(), walSplits()),
        new FileCalls(
            regions,
            files.factories(),
            files.descriptors(),
            context.memory().blockCacheBytes(),
            shared.config().get(MaintenanceSettings.PRE_FLUSH_BYTES),
            assignment.warmRegions()),
        new SlowLogCalls(context.calls().slowLog()),
        replicas.calls(),
        new SettingsReload(shared.live()),
        context.calls().hooks().events(),
        interceptors);
  }

  private WalSplits walSplits() {
    RegionServerExecutors executors = shared.executors();
    return new WalSplits(
        shared.state(),
        context.files().walSplitter(),
        shared.master(),
        new ProcedureReporter(
            shared.state(), shared.master(), executors.reports(), executors.timer()),
        executors.walSplits());
  }
}
