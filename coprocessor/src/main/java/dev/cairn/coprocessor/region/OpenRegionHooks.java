package dev.cairn.coprocessor.region;

import com.google.protobuf.Service;
import dev.cairn.coprocessor.endpoint.BuiltInRows;
import dev.cairn.coprocessor.endpoint.ServiceCall;
import dev.cairn.coprocessor.environment.CallerOfThread;
import dev.cairn.coprocessor.environment.ServerEnvironment;
import dev.cairn.coprocessor.facade.OpenRegions;
import dev.cairn.coprocessor.facade.Reader;
import dev.cairn.coprocessor.facade.RegionFacade;
import dev.cairn.coprocessor.facade.ServicesOfServer;
import dev.cairn.coprocessor.facade.StoragePaths;
import dev.cairn.coprocessor.load.CoprocessorLoader;
import dev.cairn.coprocessor.load.HookGroups;
import dev.cairn.coprocessor.log.ReplayHooks;
import dev.cairn.coprocessor.read.HookedReads;
import dev.cairn.coprocessor.read.LateHooks;
import dev.cairn.coprocessor.read.ReadHooks;
import dev.cairn.coprocessor.rewrite.LoadHooks;
import dev.cairn.coprocessor.rewrite.RewriteHooks;
import dev.cairn.coprocessor.write.CoprocessorWrites;
import dev.cairn.coprocessor.write.WriteHooks;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.RegionFiles;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.StoreFileHook.Candidate;
import dev.cairn.server.hook.CoprocessorClass;
import dev.cairn.server.hook.HookFailedException;
import dev.cairn.server.hook.RegionHooks;
import dev.cairn.server.hook.RegionHost;
import dev.cairn.server.regionserver.hooked.HookedTable;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.RegionMaintenance;
import dev.cairn.server.regionserver.hosted.RegionMaintenance.Closing;
import dev.cairn.server.regionserver.hosted.RegionParts;
import dev.cairn.server.regionserver.hosted.RegionServices;
import dev.cairn.server.rpc.service.RpcCall;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The coprocessors of a region from its opening to its close. Each opening creates new objects.
 * Thread-safe.
 */
public final class OpenRegionHooks implements RegionHooks {
  private static final Logger LOG = LoggerFactory.getLogger(OpenRegionHooks.class);

  /** How long the close of a region waits for the hooks at the end of its scans. */
  private static final long LATE_HOOKS_MILLIS = 10_000;

  private final RegionInfo info;
  private final TableSchema schema;
  private final RegionHost host;
  private final ServerEnvironment server;
  private final OpenRegions open;
  private final LateHooks late;
  private final CoprocessorLoader loader;
  private final List<CoprocessorClass> classes;
  private volatile HookedTable table;
  private volatile boolean counted;
  private final ServiceCalls calls = new ServiceCalls();
  private final RewriteHooks rewrites = new RewriteHooks();
  private volatile StoragePaths paths; // null before there is a context
  private final ReplayHooks replays;
  private volatile Optional<HookedRegion> running = Optional.empty();

  /** Whether the coprocessors know that the region closes. */
  private volatile boolean toldOfClose;

  /**
   * Creates the hooks of a region that is about to open.
   *
   * @param classes all that it loads
   */
  public OpenRegionHooks(
      RegionInfo info,
      TableSchema schema,
      RegionHost host,
      ServerEnvironment server,
      OpenRegions open,
      CoprocessorLoader loader,
      List<CoprocessorClass> classes) {
    this.loader = loader;
    this.classes = classes;
    this.info = info;
    this.schema = schema;
    this.host = host;
    this.server = server;
    this.open = open;
    this.late = new LateHooks(server.threads());
    this.replays = new ReplayHooks(info, schema);
    this.table = server.hooked(info.table(), List.of());
  }

  @Override
  public RegionContext over(RegionContext context) {
    paths = new StoragePaths(context.stores().storage(), context.dataDirectory(), server::reading);
    RegionContext hooked = context.storing(context.stores().hooked(rewrites)).replaying(replays);
    return info.replicaId() == 0 ? hooked.offeringSteps() : hooked;
  }

  @Override
  public void beforeOpening() throws IOException {
    LoadPlan plan = new LoadPlan(server, schema, loader, classes);
    HookedRegion started =
        HookedRegion.start(
            RegionFacade.of(info, schema, host.filters(), plan.settings(), paths, host.clock()),
            ServicesOfServer.ofRegion(server, host, open, info.toString()),
            plan);
    table = server.hooked(info.table(), started.loaded());
    server.times().opened(info.table());
    counted = true;
    boolean done = false;
    try {
      started.preOpen();
      running = Optional.of(started);
      rewrites.started(started, started.region(), started.overridden());
      replays.started(started, started.region().getRegionInfo(), paths, started.overridden());
      done = true;
    } finally {
      if (!done) {
        started.stopAll();
        counted = false;
        server.times().abandoned(info.table());
      }
    }
  }

  @Override
  public void check(RegionFiles files) throws HookFailedException {
    for (FamilySchema family : schema.families()) {
      for (Candidate file : files.of(family.name())) {
        try {
          rewrites.opened(info, family, file);
        } catch (IOException e) {
          throw new HookFailedException("a coprocessor fails for a store file: " + e, e);
        }
      }
    }
  }

  @Override
  public RegionParts over(RegionParts below) {
    RegionMaintenance work = maintained(below.maintenance());
    Closing closing = work.closing();
    return written(read(below))
        .maintainedBy(work.closedBy(abort -> close(closing, abort)).hookedIn(table))
        .servedBy(services());
  }

  /** Returns the maintenance with hooks around bulk loads. */
  private RegionMaintenance maintained(RegionMaintenance below) {
    return running
        .map(one -> below.loadedBy(new LoadHooks(one, one.region(), below.bulkLoads())))
        .orElse(below);
  }

  /** Returns the parts with writes that call hooks, if a coprocessor has hooks of writes. */
  private RegionParts written(RegionParts below) {
    if (running.isEmpty() || below.steps().isEmpty()) {
      return below;
    }
    HookedRegion one = running.get();
    Set<String> overridden = one.overridden();
    CoprocessorWrites writes =
        new CoprocessorWrites(
            info,
            schema,
            below.steps().get(),
            new WriteHooks(one, overridden, server.compressesLogs()),
            host,
            table);
    one.region().writtenBy(writes);
    return Collections.disjoint(overridden, HookGroups.WRITES)
        ? below
        : below.writing(writes.ofClients());
  }

  /** Returns the parts with hooks around the reads, if a coprocessor has such hooks. */
  private RegionParts read(RegionParts below) {
    if (running.isEmpty()) {
      return below;
    }
    HookedRegion hooked = running.get();
    ReadHooks hooks = ReadHooks.of(hooked, hooked.overridden(), table);
    RegionFacade region = hooked.region();
    Reader reader =
        new Reader(below.reads(), region.queries(), region, hooked, hooked.overridden());
    region.opened(reader);
    return hooks.any()
        ? below.reading(new HookedReads(region.getRegionInfo(), reader, hooks, late))
        : below;
  }

  private RegionServices services() {
    return new RegionServices() {
      @Override
      public Optional<NameBytesPair> call(RpcCall call, CoprocessorServiceCall request)
          throws IOException {
        return serve(call, request, ofCoprocessor(request));
      }

      private Optional<Service> ofCoprocessor(CoprocessorServiceCall request) {
        return running.flatMap(one -> one.region().service(request.getServiceName()));
      }

      @Override
      public NameBytesPair callBuiltIn(
          RpcCall call, CoprocessorServiceCall request, BuiltIn service) throws IOException {
        Optional<Service> own = ofCoprocessor(request);
        if (own.isPresent()) {
          return serve(call, request, own).orElseThrow();
        }
        boolean hooked =
            running.isPresent()
                && HookGroups.ENDPOINTS.stream().anyMatch(running.get().overridden()::contains);
        return hooked
            ? serve(call, request, Optional.of(new BuiltInRows(service))).orElseThrow()
            : service.call(request.getRequest());
      }
    };
  }

  private Optional<NameBytesPair> serve(
      RpcCall call, CoprocessorServiceCall request, Optional<Service> service) throws IOException {
    if (!calls.begin()) {
      throw new NotServingRegionException(info + " is closing");
    }
    try (CallerOfThread caller = CallerOfThread.enter(table)) {
      Optional<HookedRegion> host = running;
      return service.isPresent()
          ? Optional.of(ServiceCall.ofRegion(host.get(), service.get(), call.memory()).run(request))
          : Optional.empty();
    } finally {
      calls.end();
    }
  }

  @Override
  public void opened(HostedRegion region) {
    running.ifPresent(
        one -> {
          one.region().opened(region);
          open.opened(one.region());
          attempt("postOpen", one::postOpen);
        });
  }

  private void uncount() {
    if (counted) {
      counted = false;
      server.times().closed(info.table());
    }
  }

  @Override
  public void abandoned() {
    rewrites.stopped();
    running.ifPresent(HookedRegion::stopAll);
    running = Optional.empty();
    uncount();
  }

  /** Closes the region, and calls the hooks before and after. They cannot prevent the close. */
  private void close(Closing closing, boolean abort) throws IOException {
    Optional<HookedRegion> hooks = running;
    late.await(abort ? server.endings().limitMillis(true) : LATE_HOOKS_MILLIS);
    if (!toldOfClose) { // The close may fail and come again.
      toldOfClose = true;
      hooks.ifPresent(one -> ending("preClose", abort, () -> one.preClose(abort)));
    }
    if (hooks.isPresent()) {
      hooks.get().region().closedBy(closing, abort);
    } else {
      closing.close(abort);
    }
    hooks.ifPresent(one -> open.closed(one.region()));
    rewrites.stopped();
    if (!calls.close(server.endings().limitMillis(abort))) {
      LOG.warn("A service of {} still runs while the region's coprocessors end", info);
    }
    hooks.ifPresent(
        one ->
            ending(
                "postClose",
                abort,
                () -> {
                  try {
                    one.postClose(abort);
                  } finally {
                    one.stopAll();
                  }
                }));
    running = Optional.empty();
    uncount();
  }

  /** A call of a hook. */
  @FunctionalInterface
  private interface Call {
    void run() throws IOException;
  }

  private void ending(String hook, boolean abort, Call call) {
    if (!server.endings().run(hook + " of " + info, abort, () -> attempt(hook, call))) {
      LOG.error("The coprocessors of {} have not ended {}; their region closes", info, hook);
    }
  }

  private void attempt(String hook, Call call) {
    try {
      call.run();
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) { // whatever a user's code throws
      LOG.warn("A coprocessor of {} failed in {}; its result is ignored", info, hook, e);
    }
  }
}
