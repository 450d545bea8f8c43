package dev.cairn.coprocessor.load;

import dev.cairn.server.hook.CoprocessorClass;
import dev.cairn.server.hook.HookKeys;
import dev.cairn.server.hook.ServerHost;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.coprocessor.CoprocessorService;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.util.CoprocessorClassLoader;

/**
 * Decides whether classes that sites and tables name can run, without initializing them. Loads a
 * class in a jar with HBase's class loader, which HBase's host also uses. Thread-safe.
 */
public final class CoprocessorLoader {
  private final AllowedPaths allowed;
  private final Supplier<Configuration> settings;
  private final ClassLoader server = CoprocessorLoader.class.getClassLoader();

  /**
   * Creates a loader for a process.
   *
   * @param settings returns the settings of the site, as HBase reads them
   */
  public CoprocessorLoader(ServerHost host, Supplier<Configuration> settings) {
    this.allowed = AllowedPaths.of(host);
    this.settings = settings;
  }

  /**
   * Returns why a coprocessor of regions cannot run: its class cannot be loaded, is not a
   * coprocessor of regions, or overrides a hook that is not called. May read and copy its jar.
   */
  @SuppressWarnings("deprecation") // HBase still runs endpoints of the older interface
  public Optional<String> refusal(CoprocessorClass named) {
    Class<?> type;
    try {
      type = Class.forName(named.className(), false, classes(named));
    } catch (ClassNotFoundException | LinkageError | IOException | IllegalArgumentException e) {
      return Optional.of(
          "the coprocessor "
              + named.className()
              + " cannot be loaded"
              + named.jar().map(jar -> " from " + jar).orElse("")
              + ": "
              + e);
    }
    if (!RegionCoprocessor.class.isAssignableFrom(type)
        && !CoprocessorService.class.isAssignableFrom(type)) {
      return Optional.of(
          "the coprocessor " + named.className() + " does not implement RegionCoprocessor");
    }
    return ClassRules.refusal(type);
  }

  private ClassLoader classes(CoprocessorClass named) throws IOException {
    if (named.jar().isEmpty()) {
      return server;
    }
    String jar = named.jar().get();
    if (!allowed.allow(jar)) {
      throw new IOException(HookKeys.ALLOWED_PATHS.name() + " does not allow code from " + jar);
    }
    return CoprocessorClassLoader.getClassLoader(
        new Path(jar), server, String.valueOf(ProcessHandle.current().pid()), settings.get());
  }
}
