package dev.cairn.coprocessor.region;

import com.google.protobuf.Service;
import dev.cairn.coprocessor.endpoint.ServiceCall;
import dev.cairn.coprocessor.environment.CallerOfThread;
import dev.cairn.coprocessor.environment.ServerEnvironment;
import dev.cairn.coprocessor.facade.Reader;
import dev.cairn.coprocessor.facade.RegionFacade;
import dev.cairn.coprocessor.facade.ServicesOfServer;
import dev.cairn.coprocessor.load.HookGroups;
import dev.cairn.coprocessor.read.HookedReads;
import dev.cairn.coprocessor.read.LateHooks;
import dev.cairn.coprocessor.read.ReadHooks;
import dev.cairn.coprocessor.write.CoprocessorWrites;
import dev.cairn.coprocessor.write.WriteHooks;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.hook.RegionHooks;
import dev.cairn.server.hook.RegionHost;
import dev.cairn.server.regionserver.hosted.RegionMaintenance.Closing;
import dev.cairn.server.regionserver.hosted.RegionParts;
import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
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
  private final LateHooks late;
  private volatile Optional<HookedRegion> running = Optional.empty();

  /** Creates the hooks of a region that is about to open. */
  public OpenRegionHooks(
      RegionInfo info, TableSchema schema, RegionHost host, ServerEnvironment server) {
    this.info = info;
    this.schema = schema;
    this.host = host;
    this.server = server;
    this.late = new LateHooks(server.threads());
  }

  @Override
  public void beforeOpening() throws IOException {
    HookedRegion started =
        HookedRegion.start(
            RegionFacade.of(info, schema, host.filters(), settings()),
            new ServicesOfServer(server, host),
            settings());
    boolean done = false;
    try {
      started.preOpen();
      running = Optional.of(started);
      done = true;
    } finally {
      if (!done) {
        started.stopAll();
      }
    }
  }

  /** Returns the settings of the site, overridden by the attributes of the table. */
  private Configuration settings() {
    Configuration settings = server.settings();
    schema
        .message()
        .getAttributesList()
        .forEach(
            pair -> settings.set(pair.getFirst().toStringUtf8(), pair.getSecond().toStringUtf8()));
    schema
        .message()
        .getConfigurationList()
        .forEach(pair -> settings.set(pair.getName(), pair.getValue()));
    return settings;
  }

  @Override
  public RegionParts over(RegionParts below) {
    Closing closing = below.maintenance().closing();
    return written(read(below))
        .maintainedBy(below.maintenance().closedBy(abort -> close(closing, abort)))
        .servedBy((call, request) -> serve(request));
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
            info, schema, below.steps().get(), new WriteHooks(one, overridden), host.filters());
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
    ReadHooks hooks = ReadHooks.of(hooked, hooked.overridden());
    RegionFacade region = hooked.region();
    Reader reader = new Reader(below.reads(), region.queries(), region, hooked, hooks.stores());
    region.opened(reader);
    return hooks.any()
        ? below.reading(new HookedReads(region.getRegionInfo(), reader, hooks, late))
        : below;
  }

  private Optional<NameBytesPair> serve(CoprocessorServiceCall request) throws IOException {
    Optional<HookedRegion> host = running;
    Optional<Service> service = host.flatMap(one -> one.region().service(request.getServiceName()));
    if (service.isEmpty()) {
      return Optional.empty();
    }
    try (CallerOfThread caller = CallerOfThread.enter()) {
      return Optional.of(new ServiceCall(host.get(), service.get()).run(request));
    }
  }

  @Override
  public void opened() {
    running.ifPresent(one -> attempt("postOpen", one::postOpen));
  }

  @Override
  public void abandoned() {
    running.ifPresent(HookedRegion::stopAll);
    running = Optional.empty();
  }

  /** Closes the region, and calls the hooks before and after. They cannot prevent the close. */
  private void close(Closing closing, boolean abort) throws IOException {
    Optional<HookedRegion> hooks = running;
    late.await(LATE_HOOKS_MILLIS);
    hooks.ifPresent(one -> attempt("preClose", () -> one.preClose(abort)));
    closing.close(abort);
    hooks.ifPresent(one -> attempt("postClose", () -> one.postClose(abort)));
    running = Optional.empty();
  }

  /** A call of a hook. */
  @FunctionalInterface
  private interface Call {
    void run() throws IOException;
  }

  private void attempt(String hook, Call call) {
    try {
      call.run();
    } catch (IOException | RuntimeException e) {
      LOG.warn("A coprocessor of {} failed in {}; the failure is ignored", info, hook, e);
    }
  }
}
