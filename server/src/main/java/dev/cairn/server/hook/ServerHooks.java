package dev.cairn.server.hook;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import java.util.List;
import java.util.Optional;

/** The coprocessors of a process. Thread-safe. */
public interface ServerHooks extends AutoCloseable {
  /**
   * Returns why one of the coprocessors of a region cannot run: its class cannot be loaded, or
   * overrides a hook that is not called. Loads the classes without initializing them.
   *
   * @return a sentence that begins in lower case; empty if all can run
   */
  Optional<String> refusal(List<CoprocessorClass> classes);

  /**
   * Returns the hooks of a region that is about to open. Nothing of them runs before {@link
   * RegionHooks#beforeOpening}.
   *
   * @param classes all that the region loads, in this order; none else is loaded
   */
  RegionHooks region(
      RegionInfo info, TableSchema schema, RegionHost host, List<CoprocessorClass> classes);

  /** Closes the resources that coprocessors share. Called after all regions have closed. */
  @Override
  void close();
}
