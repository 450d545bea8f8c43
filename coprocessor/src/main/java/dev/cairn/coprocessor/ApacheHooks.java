package dev.cairn.coprocessor;

import dev.cairn.coprocessor.environment.ServerEnvironment;
import dev.cairn.coprocessor.environment.TableSettings;
import dev.cairn.coprocessor.facade.OpenRegions;
import dev.cairn.coprocessor.load.ClassRules;
import dev.cairn.coprocessor.load.CoprocessorLoader;
import dev.cairn.coprocessor.master.ActiveMasterHooks;
import dev.cairn.coprocessor.metrics.RegistrySources;
import dev.cairn.coprocessor.region.OpenRegionHooks;
import dev.cairn.coprocessor.server.RunningLogHooks;
import dev.cairn.coprocessor.server.RunningServerHooks;
import dev.cairn.coprocessor.split.PolicyClasses;
import dev.cairn.coprocessor.split.UserPolicy;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.hook.CoprocessorClass;
import dev.cairn.server.hook.HookFailedException;
import dev.cairn.server.hook.HookProvider;
import dev.cairn.server.hook.LogHooks;
import dev.cairn.server.hook.RegionHooks;
import dev.cairn.server.hook.RegionHost;
import dev.cairn.server.hook.RegionServerHooks;
import dev.cairn.server.hook.ServerHooks;
import dev.cairn.server.hook.ServerHost;
import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.hook.MasterView;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.split.SplitPolicy;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/** Runs Apache HBase's coprocessors. Thread-safe. */
public final class ApacheHooks implements HookProvider {
  @Override
  public ServerHooks open(ServerHost host) {
    ServerEnvironment environment = new ServerEnvironment(host);
    return new OfProcess(
        new CoprocessorLoader(host, environment::reading),
        environment,
        new OpenRegions(),
        new RegistrySources(MetricRegistries.global()));
  }

  private record OfProcess(
      CoprocessorLoader loader,
      ServerEnvironment environment,
      OpenRegions open,
      RegistrySources registered)
      implements ServerHooks {
    @Override
    public Optional<String> refusal(Kind kind, List<CoprocessorClass> classes) {
      ClassRules.Kind rules =
          switch (kind) {
            case REGION -> ClassRules.REGION;
            case SERVER -> ClassRules.SERVER;
            case LOG -> ClassRules.LOG;
            case MASTER -> ClassRules.MASTER;
          };
      return classes.stream().flatMap(one -> loader.refusal(rules, one).stream()).findFirst();
    }

    @Override
    public RegionHooks region(
        RegionInfo info, TableSchema schema, RegionHost host, List<CoprocessorClass> classes) {
      return new OpenRegionHooks(info, schema, host, environment, open, loader, classes);
    }

    @Override
    public RegionServerHooks regionServer(
        RegionHost host, List<CoprocessorClass> classes, boolean complete)
        throws HookFailedException {
      return RunningServerHooks.start(host, environment, open, loader, classes, complete);
    }

    @Override
    public Optional<String> refusalOfSplitPolicy(String className) {
      try {
        PolicyClasses.load(className);
        return Optional.empty();
      } catch (HookFailedException e) {
        return Optional.of(e.getMessage());
      }
    }

    @Override
    public SplitPolicy splitPolicy(String className, RegionInfo info, TableSchema schema)
        throws HookFailedException {
      return UserPolicy.of(
          PolicyClasses.load(className),
          TableSettings.of(environment.settings(), schema),
          ProtobufUtil.toRegionInfo(Messages.message(info)),
          ProtobufUtil.toTableDescriptor(schema.message()));
    }

    @Override
    public LogHooks log(RegionHost host, List<CoprocessorClass> classes, boolean complete)
        throws HookFailedException {
      return RunningLogHooks.start(host, environment, loader, classes, complete);
    }

    @Override
    public MasterHooks master(MasterView view, List<CoprocessorClass> classes, boolean complete)
        throws HookFailedException {
      return ActiveMasterHooks.start(view, environment, loader, classes, complete);
    }

    @Override
    public Collection<MetricSource> metrics() {
      return registered.all();
    }

    @Override
    public void close() {
      environment.close();
    }
  }
}
