package dev.cairn.coprocessor.master;

import com.google.protobuf.Service;
import dev.cairn.coprocessor.convert.MasterValues;
import dev.cairn.coprocessor.endpoint.ServiceCall;
import dev.cairn.coprocessor.environment.CallerOfThread;
import dev.cairn.coprocessor.environment.ServerEnvironment;
import dev.cairn.coprocessor.facade.ServicesOfMaster;
import dev.cairn.coprocessor.load.ClassRules;
import dev.cairn.coprocessor.load.CoprocessorLoader;
import dev.cairn.coprocessor.load.SitePlan;
import dev.cairn.server.hook.CoprocessorClass;
import dev.cairn.server.hook.HookFailedException;
import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.hook.MasterView;
import dev.cairn.server.rpc.service.CallMemory;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.master.MasterCoprocessorHost;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The coprocessors of a master from just before it leads to its end. Each master creates new
 * objects. Thread-safe.
 */
public final class ActiveMasterHooks implements MasterHooks {
  private static final Logger LOG = LoggerFactory.getLogger(ActiveMasterHooks.class);

  /** The method whose hooks {@link #balance} calls. */
  private static final String BALANCE = "Balance";

  private final HookedMaster host;
  private final ServicesOfMaster services;
  private final ServerEnvironment environment;
  private final MasterView view;
  private final MasterCalls calls;
  private final StepCalls steps;
  private final Set<String> overridden;
  private final Set<String> methods;

  private ActiveMasterHooks(
      HookedMaster host,
      ServicesOfMaster services,
      ServerEnvironment environment,
      MasterView view) {
    this.host = host;
    this.services = services;
    this.environment = environment;
    this.view = view;
    this.overridden = Set.copyOf(host.overridden());
    this.calls = calls(host, view, environment);
    this.steps = new StepCalls(host, view);
    this.methods = calls.methods(overridden);
  }

  /**
   * Loads and starts the coprocessors.
   *
   * @param complete whether all must run; otherwise one that cannot is left out
   * @throws HookFailedException if one cannot run and all must
   */
  public static ActiveMasterHooks start(
      MasterView view,
      ServerEnvironment environment,
      CoprocessorLoader loader,
      List<CoprocessorClass> classes,
      boolean complete)
      throws HookFailedException {
    ServicesOfMaster services = new ServicesOfMaster(environment, view.self());
    SitePlan plan =
        new SitePlan(environment.settings(), loader, ClassRules.MASTER, classes, complete)
            .undoingBy(services::savepoint);
    return new ActiveMasterHooks(
        HookedMaster.start(services, plan, environment.endings()), services, environment, view);
  }

  private static MasterCalls calls(
      MasterCoprocessorHost host, MasterView view, ServerEnvironment environment) {
    MasterCalls calls = new MasterCalls();
    new TableCalls(host, view).register(calls);
    new ListCalls(host, view).register(calls);
    new NamespaceCalls(host, view).register(calls);
    new RegionCalls(host, view).register(calls);
    new SnapshotCalls(host, view).register(calls);
    new QuotaCalls(host, view, environment).register(calls);
    new GroupCalls(host).register(calls);
    new ServerCalls(host, environment).register(calls);
    new ProcedureCalls(host, view, environment).register(calls);
    calls.on(BALANCE, BalanceRequest.class, (r, body) -> body.run(r), "preBalance", "postBalance");
    return calls;
  }

  /** Returns the names of all hooks that are called. */
  static Set<String> allHooks() {
    Set<String> hooks = new HashSet<>(calls(null, null, null).hooks());
    hooks.addAll(new StepCalls(null, null).hooks());
    hooks.add("preMasterInitialization");
    hooks.add("postStartMaster");
    return hooks;
  }

  /** A call of a hook. */
  @FunctionalInterface
  private interface Call {
    void run() throws IOException;
  }

  private static void attempt(String hook, Call call) {
    try {
      call.run();
    } catch (IOException e) {
      LOG.error("A coprocessor of the master failed in {}; its result is ignored", hook, e);
    }
  }

  @Override
  public void beforeInitialization() {
    attempt("preMasterInitialization", host::preMasterInitialization);
  }

  @Override
  public void afterInitialization() {
    attempt("postStartMaster", host::postStartMaster);
  }

  @Override
  public boolean concerns(String method) {
    return methods.contains(method);
  }

  @Override
  public <Q extends Message, R extends Message> R around(String method, Q request, Body<Q, R> body)
      throws IOException {
    try (CallerOfThread caller = CallerOfThread.enter()) {
      return calls.run(method, request, body);
    }
  }

  @Override
  public Balanced balance(BalanceRequest request, Body<BalanceRequest, Balanced> body)
      throws IOException {
    if (!concerns(BALANCE) || !view.mayBalance(request)) {
      return body.run(request);
    }
    org.apache.hadoop.hbase.client.BalanceRequest shown = ProtobufUtil.toBalanceRequest(request);
    try (CallerOfThread caller = CallerOfThread.enter()) {
      try {
        host.preBalance(shown);
      } catch (IOException e) {
        LOG.error("A coprocessor of the master failed in preBalance; the balancer does not run", e);
        return new Balanced(BalanceResponse.newBuilder().setBalancerRan(false).build(), List.of());
      }
      Balanced done = body.run(request);
      attempt("postBalance", () -> host.postBalance(shown, plans(done.moves())));
      return done;
    }
  }

  private static List<RegionPlan> plans(List<RegionMove> moves) {
    return moves.stream()
        .map(
            move ->
                new RegionPlan(
                    MasterValues.region(move.region()),
                    MasterValues.server(move.from()),
                    MasterValues.server(move.to())))
        .toList();
  }

  @Override
  public Optional<StepHook> at(String procedure, Moment moment, String step) {
    return steps.at(procedure, moment, step, overridden);
  }

  @Override
  public Optional<NameBytesPair> serve(CoprocessorServiceCall call, CallMemory memory)
      throws IOException {
    Optional<Service> service = services.service(call.getServiceName());
    if (service.isEmpty()) {
      return Optional.empty();
    }
    try (CallerOfThread caller = CallerOfThread.enter()) {
      return Optional.of(new ServiceCall(ServiceCall.Hooks.NONE, service.get(), memory).run(call));
    }
  }

  @Override
  public List<String> names() {
    return List.copyOf(host.getCoprocessors());
  }

  @Override
  public void close() {
    if (!environment.endings().run("stop of the master's coprocessors", false, host::stopAll)) {
      LOG.error("The coprocessors of the master have not stopped; the master ends");
    }
  }
}
