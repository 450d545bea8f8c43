package dev.cairn.server.hook;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import java.util.List;
import java.util.Optional;

/** The coprocessors of a process. Thread-safe. */
public interface ServerHooks extends AutoCloseable {
  /**
   * Returns why one of the classes of regions cannot run here: it cannot be loaded, or it overrides
   * a hook that is not called. Loads the classes, and initializes none.
   *
   * @return a sentence that begins with a small letter; empty if all can run
   */
  Optional<String> refusal(List<CoprocessorClass> classes);

  /**
   * Returns the hooks of a region that is about to open. Nothing of them runs before {@link
   * RegionHooks#beforeOpening}.
   */
  RegionHooks region(RegionInfo info, TableSchema schema, RegionHost host);

  /** Closes what coprocessors shared, after all regions have closed. */
  @Override
  void close();
}
