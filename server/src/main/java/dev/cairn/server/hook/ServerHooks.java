package dev.cairn.server.hook;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.master.hook.MasterHooks;
import dev.cairn.server.master.hook.MasterView;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.split.SplitPolicy;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The coprocessors of a process. Thread-safe. */
public interface ServerHooks extends AutoCloseable {
  /** What coprocessors belong to. */
  enum Kind {
    /** Regions. */
    REGION,
    /** Region servers. */
    SERVER,
    /** Logs of region servers. */
    LOG,
    /** Masters. */
    MASTER
  }

  /**
   * Returns why one of the coprocessors cannot run: its class cannot be loaded, or is refused.
   * Loads the classes without initializing them.
   *
   * @return a sentence that begins in lower case; empty if all can run
   */
  Optional<String> refusal(Kind kind, List<CoprocessorClass> classes);

  /**
   * Returns the hooks of a region that is about to open. Nothing of them runs before {@link
   * RegionHooks#beforeOpening}.
   *
   * @param classes all that the region loads, in this order; none else is loaded
   */
  RegionHooks region(
      RegionInfo info, TableSchema schema, RegionHost host, List<CoprocessorClass> classes);

  /**
   * Returns why a split policy cannot be used: its class cannot be loaded or instantiated, or is
   * not a split policy. Loads the class without initializing it.
   *
   * @return a sentence that begins in lower case; empty if it can be used
   */
  Optional<String> refusalOfSplitPolicy(String className);

  /**
   * Creates the split policy of a region.
   *
   * @throws HookFailedException if the class cannot be used, or its constructor fails
   */
  SplitPolicy splitPolicy(String className, RegionInfo info, TableSchema schema)
      throws HookFailedException;

  /**
   * Loads and starts the coprocessors of a region server, before it registers.
   *
   * @param classes all that it loads, in this order
   * @param complete whether it fails if one cannot be loaded or started; otherwise that is left out
   * @throws HookFailedException if one cannot be loaded or started; then none runs
   */
  RegionServerHooks regionServer(RegionHost host, List<CoprocessorClass> classes, boolean complete)
      throws HookFailedException;

  /**
   * Loads and starts the coprocessors of a region server's logs, before the server registers; as
   * {@link #regionServer}.
   */
  LogHooks log(RegionHost host, List<CoprocessorClass> classes, boolean complete)
      throws HookFailedException;

  /**
   * Loads and starts the coprocessors of a master that is about to lead.
   *
   * @param classes all that it loads, in this order
   * @param complete whether it fails if one cannot be loaded or started; otherwise that is left out
   */
  MasterHooks master(MasterView view, List<CoprocessorClass> classes, boolean complete)
      throws HookFailedException;

  /** Returns the sources of the metrics that coprocessors have registered. */
  Collection<MetricSource> metrics();

  /** Closes the resources that coprocessors share. Called after all regions have closed. */
  @Override
  void close();
}
