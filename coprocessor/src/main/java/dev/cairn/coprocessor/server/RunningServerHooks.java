package dev.cairn.coprocessor.server;

import com.google.protobuf.Service;
import dev.cairn.coprocessor.endpoint.ServiceCall;
import dev.cairn.coprocessor.environment.CallerOfThread;
import dev.cairn.coprocessor.environment.ServerEnvironment;
import dev.cairn.coprocessor.facade.OpenRegions;
import dev.cairn.coprocessor.facade.ServicesOfServer;
import dev.cairn.coprocessor.load.ClassRules;
import dev.cairn.coprocessor.load.CoprocessorLoader;
import dev.cairn.coprocessor.load.SitePlan;
import dev.cairn.server.hook.CoprocessorClass;
import dev.cairn.server.hook.HookFailedException;
import dev.cairn.server.hook.RegionHost;
import dev.cairn.server.hook.RegionServerHooks;
import dev.cairn.server.regionserver.admin.ServerEvents;
import dev.cairn.server.regionserver.hosted.RegionServices;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearRegionBlockCacheResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The coprocessors of a region server while it runs. Thread-safe. */
public final class RunningServerHooks implements RegionServerHooks, ServerEvents {
  private static final Logger LOG = LoggerFactory.getLogger(RunningServerHooks.class);

  private final RegionHost server;
  private final ServerEnvironment environment;
  private final HookedServer host;

  private RunningServerHooks(RegionHost server, ServerEnvironment environment, HookedServer host) {
    this.server = server;
    this.environment = environment;
    this.host = host;
  }

  /**
   * Loads and starts the coprocessors.
   *
   * @param complete whether all must run; otherwise one that cannot is left out
   * @throws HookFailedException if one that must run does not; then none does
   */
  public static RunningServerHooks start(
      RegionHost server,
      ServerEnvironment environment,
      OpenRegions open,
      CoprocessorLoader loader,
      List<CoprocessorClass> classes,
      boolean complete)
      throws HookFailedException {
    ServicesOfServer services =
        ServicesOfServer.ofServer(environment, server, open, "the region server");
    SitePlan plan =
        new SitePlan(environment.settings(), loader, ClassRules.SERVER, classes, complete)
            .undoingBy(services::savepoint);
    return new RunningServerHooks(
        server, environment, HookedServer.start(services, plan, environment.endings()));
  }

  @Override
  public ServerEvents events() {
    return this;
  }

  @Override
  public RegionServices services() {
    return this::serve;
  }

  private Optional<NameBytesPair> serve(RpcCall call, CoprocessorServiceCall request)
      throws IOException {
    Optional<Service> service = host.services().service(request.getServiceName());
    if (service.isEmpty()) {
      return Optional.empty();
    }
    try (CallerOfThread caller = CallerOfThread.enter()) {
      return Optional.of(
          new ServiceCall(ServiceCall.Hooks.NONE, service.get(), call.memory()).run(request));
    }
  }

  @Override
  public boolean hears(Event event) {
    return switch (event) {
      case ROLL_LOG -> host.hasAny("preRollWALWriterRequest", "postRollWALWriterRequest");
      case CLEAR_COMPACTIONS ->
          host.hasAny("preClearCompactionQueues", "postClearCompactionQueues");
      case CLEAR_CACHE -> host.hasAny("preClearRegionBlockCache", "postClearRegionBlockCache");
      case EXECUTE_PROCEDURES -> host.hasAny("preExecuteProcedures", "postExecuteProcedures");
      case UPDATE_SETTINGS ->
          host.hasAny("preUpdateRegionServerConfiguration", "postUpdateRegionServerConfiguration");
    };
  }

  @Override
  public void before(Event event) throws IOException {
    try (CallerOfThread caller = CallerOfThread.enter()) {
      switch (event) {
        case ROLL_LOG -> host.preRollWALWriterRequest();
        case CLEAR_COMPACTIONS -> host.preClearCompactionQueues();
        case CLEAR_CACHE -> host.preClearRegionBlockCache();
        case EXECUTE_PROCEDURES -> host.preExecuteProcedures();
        case UPDATE_SETTINGS -> host.preUpdateConfiguration(environment.settings());
      }
    }
  }

  @Override
  public void after(Event event, Message answer) throws IOException {
    try (CallerOfThread caller = CallerOfThread.enter()) {
      switch (event) {
        case ROLL_LOG -> host.postRollWALWriterRequest();
        case CLEAR_COMPACTIONS -> host.postClearCompactionQueues();
        case CLEAR_CACHE ->
            host.postClearRegionBlockCache(
                ProtobufUtil.toCacheEvictionStats(
                    ((ClearRegionBlockCacheResponse) answer).getStats()));
        case EXECUTE_PROCEDURES -> host.postExecuteProcedures();
        case UPDATE_SETTINGS ->
            host.postUpdateConfiguration(environment.settings(server.settings().get()));
      }
    }
  }

  /** If a hook does not return within the time limit of endings, the server stops. */
  @Override
  public void beforeStop(String reason) throws IOException {
    User user;
    try (CallerOfThread caller = CallerOfThread.enter()) {
      user = RpcServer.getRequestUser().orElse(null);
    }
    AtomicReference<IOException> refusal = new AtomicReference<>();
    boolean ended =
        environment
            .endings()
            .run(
                "preStopRegionServer",
                false,
                () -> {
                  try {
                    host.preStop(reason, user);
                  } catch (IOException e) {
                    refusal.set(e);
                  }
                });
    if (!ended) {
      LOG.error("The hook preStopRegionServer does not return; the server stops");
    } else if (refusal.get() != null) {
      throw refusal.get();
    }
  }

  @Override
  public void close() {
    if (!environment.endings().run("stop of coprocessors", true, host::stopAll)) {
      LOG.error("A coprocessor of the region server does not stop");
    }
  }
}
