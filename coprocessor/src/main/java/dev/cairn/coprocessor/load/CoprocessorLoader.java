package dev.cairn.coprocessor.load;

import dev.cairn.server.hook.CoprocessorClass;
import dev.cairn.server.hook.HookFailedException;
import dev.cairn.server.hook.HookKeys;
import dev.cairn.server.hook.ServerHost;
import dev.cairn.server.regionserver.hooked.AbsentClasses;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.coprocessor.CoprocessorService;
import org.apache.hadoop.hbase.coprocessor.SingletonCoprocessorService;
import org.apache.hadoop.hbase.util.CoprocessorClassLoader;

/**
 * Loads the classes that sites and tables name, without initializing them, and refuses those that
 * cannot run. A class in a jar is loaded by HBase's class loader. Whether a class is only judged or
 * is to run, it is found in the same way. Thread-safe.
 */
public final class CoprocessorLoader {
  private final AllowedPaths allowed;
  private final Supplier<Configuration> settings;
  private final ClassLoader server = CoprocessorLoader.class.getClassLoader();
  private final Optional<String> included;
  private final FaultLog faults;
  private final AbsentClasses absent;

  /**
   * Creates a loader for a process.
   *
   * @param settings returns those for the reading of jars
   */
  public CoprocessorLoader(ServerHost host, Supplier<Configuration> settings) {
    this.allowed = AllowedPaths.of(host);
    this.settings = settings;
    this.faults = new FaultLog(host.clock());
    this.absent = host.absent();
    this.included =
        Optional.of(host.config().get(HookKeys.INCLUDED_CLASSES)).filter(text -> !text.isBlank());
  }

  /** Returns the log of unexpected exceptions of the process's coprocessors. */
  public FaultLog faults() {
    return faults;
  }

  /** Returns the classes that are left out or removed. */
  public AbsentClasses absent() {
    return absent;
  }

  /** Returns why a coprocessor cannot run. May read and copy its jar. */
  public Optional<String> refusal(ClassRules.Kind kind, CoprocessorClass named) {
    try {
      load(kind, named);
      return Optional.empty();
    } catch (HookFailedException e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * Returns the class of a coprocessor. May read and copy its jar.
   *
   * @throws HookFailedException if it cannot be loaded or made, is something else, or overrides a
   *     hook that is not called
   */
  public Class<?> load(ClassRules.Kind kind, CoprocessorClass named) throws HookFailedException {
    Optional<String> refused = RefusedClasses.reason(named.className());
    if (refused.isPresent()) {
      throw new HookFailedException(
          "the coprocessor " + named.className() + " is refused: " + refused.get(), null);
    }
    ClassLoader loader = server;
    try {
      loader = loader(named);
      Class<?> type = type(named, loader);
      if (!kind.type().isAssignableFrom(type) && !older(kind).isAssignableFrom(type)) {
        throw new HookFailedException(
            "the coprocessor " + named.className() + " is no " + kind.type().getSimpleName(), null);
      }
      Optional<String> reason = ClassRules.refusal(kind, type);
      if (reason.isPresent()) {
        throw new HookFailedException(reason.get(), null);
      }
      return type;
    } catch (HookFailedException e) {
      throw e;
    } catch (ClassNotFoundException | LinkageError | IOException | RuntimeException e) {
      throw new HookFailedException(LoadFailure.message(named, loader, e), e);
    }
  }

  /** Returns the older interface of endpoints, which HBase still runs; logs have none. */
  @SuppressWarnings("deprecation")
  private static Class<?> older(ClassRules.Kind kind) {
    if (kind == ClassRules.LOG) {
      return kind.type();
    }
    return kind == ClassRules.SERVER ? SingletonCoprocessorService.class : CoprocessorService.class;
  }

  /** Returns the loader of a class, which may be that of a jar. */
  private ClassLoader loader(CoprocessorClass named) throws IOException {
    if (named.jar().isEmpty()) {
      return server;
    }
    String jar = named.jar().get();
    Configuration reading = settings.get();
    if (!named.ofSite() && !allowed.allow(jar, FileSystem.getDefaultUri(reading))) {
      throw new HookFailedException(
          "the coprocessor "
              + named.className()
              + " is refused: "
              + HookKeys.ALLOWED_PATHS.name()
              + " does not allow code from "
              + jar
              + ". Add its folder to this key of the servers, and restart them",
          null);
    }
    return CoprocessorClassLoader.getClassLoader(
        new Path(jar), server, String.valueOf(ProcessHandle.current().pid()), reading);
  }

  private Class<?> type(CoprocessorClass named, ClassLoader loader) throws ClassNotFoundException {
    if (!(loader instanceof CoprocessorClassLoader ofJar)) {
      return Class.forName(named.className(), false, loader);
    }
    String prefixes =
        Optional.ofNullable(named.arguments().get(HookKeys.INCLUDED_CLASSES.name()))
            .or(() -> included)
            .orElse(null);
    return ofJar.loadClass(named.className(), prefixes == null ? null : prefixes.split(";"));
  }
}
