package dev.cairn.coprocessor.load;

import dev.cairn.server.hook.CoprocessorClass;
import dev.cairn.server.hook.HookFailedException;
import dev.cairn.server.regionserver.hooked.AbsentClasses.Absent;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the site's classes for one of HBase's hosts, other than that of a region. The host gets
 * this object as its settings, finds no classes in it, and passes it to its method of loading.
 */
public final class SitePlan extends CompoundConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(SitePlan.class);

  private final Configuration ofSite;
  private final CoprocessorLoader loader;
  private final ClassRules.Kind kind;
  private final List<CoprocessorClass> classes;
  private final boolean complete;
  private Supplier<Runnable> savepoint = () -> () -> {};

  /**
   * Creates it.
   *
   * @param ofSite the settings that the coprocessors see
   * @param complete whether all must run; otherwise one that cannot is left out
   */
  public SitePlan(
      Configuration ofSite,
      CoprocessorLoader loader,
      ClassRules.Kind kind,
      List<CoprocessorClass> classes,
      boolean complete) {
    addStringMap(Map.of(CoprocessorHost.COPROCESSORS_ENABLED_CONF_KEY, "false"));
    this.ofSite = ofSite;
    this.loader = loader;
    this.kind = kind;
    this.classes = classes;
    this.complete = complete;
  }

  /**
   * Undoes the registrations of a class that does not start.
   *
   * @param begun called before each class; returns what undoes all that is registered after that
   */
  public SitePlan undoingBy(Supplier<Runnable> begun) {
    savepoint = begun;
    return this;
  }

  /** Creates and starts coprocessors: HBase's host. */
  @FunctionalInterface
  public interface Starter<E> {
    /** Creates an object of the class, and starts it. */
    E start(Class<?> type, int priority, Configuration settings) throws IOException;
  }

  /** A class did not start. Thrown through HBase's constructors, which declare no exceptions. */
  private static final class NotStarted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private NotStarted(CoprocessorClass named, Throwable cause) {
      super(
          cause instanceof HookFailedException
              ? cause.getMessage()
              : named.named() + " could not be started: " + cause,
          cause);
    }

    private HookFailedException failure() {
      return new HookFailedException(getMessage(), getCause());
    }
  }

  /**
   * Creates a host, whose constructor calls {@link #start}.
   *
   * @throws HookFailedException if a class that must run does not; then none does
   */
  public static <H> H host(Supplier<H> constructor) throws HookFailedException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try {
      return constructor.get();
    } catch (NotStarted e) {
      throw e.failure();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /**
   * Loads and starts the classes in their order. Changes the thread's class loader.
   *
   * @param running receives those that run
   * @param observer returns the object with the hooks of one
   * @param stop stops one, and removes it from {@code running}
   * @return the names of the hooks that a coprocessor overrides
   * @throws NotStarted if one that must run does not; then none does
   */
  public <E extends CoprocessorEnvironment<?>> Set<String> start(
      Starter<E> starter, List<E> running, Function<E, Optional<?>> observer, Consumer<E> stop) {
    Set<String> overridden = new HashSet<>();
    for (CoprocessorClass one : classes) {
      Runnable undo = savepoint.get();
      try {
        Class<?> type = loader.load(kind, one);
        Thread.currentThread().setContextClassLoader(type.getClassLoader());
        E environment = starter.start(type, one.priority(), ofSite);
        running.add(environment);
        note(type, environment, observer.apply(environment), stop, overridden);
      } catch (OutOfMemoryError e) {
        throw e;
      } catch (Throwable e) { // whatever a user's code throws
        undo.run();
        NotStarted failure = new NotStarted(one, e);
        if (complete) {
          stopAll(running, stop);
          throw failure;
        }
        LOG.error("The server runs without a coprocessor: {}", failure.getMessage(), e);
        loader.absent().add(this, absent(one.className(), false, failure.getMessage()));
      }
    }
    return overridden;
  }

  private Absent absent(String className, boolean isRemoved, String reason) {
    String source =
        classes.stream()
            .filter(one -> one.className().equals(className))
            .map(CoprocessorClass::source)
            .findFirst()
            .orElse("");
    return new Absent(kind.place(), className, source, isRemoved, reason);
  }

  private <E> void note(
      Class<?> type, E environment, Optional<?> observer, Consumer<E> stop, Set<String> overridden)
      throws HookFailedException {
    if (observer.isEmpty()) {
      return;
    }
    Optional<String> reason = ClassRules.refusalOfObserver(kind, type, observer.get().getClass());
    if (reason.isPresent()) {
      stop.accept(environment);
      throw new HookFailedException(reason.get(), null);
    }
    HookSet.of(observer.get().getClass()).hooks().stream()
        .filter(hook -> kind.getters().containsKey(hook.kind()))
        .forEach(hook -> overridden.add(hook.name()));
  }

  /** Forgets the classes that were left out or removed, because the host ends. */
  public void ended() {
    loader.absent().ended(this);
  }

  /** Stops all coprocessors that run. One that fails does not keep others. */
  public static <E extends CoprocessorEnvironment<?>> void stopAll(
      List<E> running, Consumer<E> stop) {
    for (E environment : List.copyOf(running)) {
      try {
        stop.accept(environment);
      } catch (OutOfMemoryError e) {
        throw e;
      } catch (Throwable e) { // whatever a user's code throws
        LOG.warn(
            "The coprocessor {} could not be stopped", environment.getInstance().getClass(), e);
      }
    }
  }

  /**
   * Returns the exception of a call whose hook has failed. If not all coprocessors must run, one
   * that throws an unexpected exception is removed; otherwise it stays.
   *
   * @param where the host's name in the message
   * @param remove removes the coprocessor
   */
  public IOException failure(
      CoprocessorEnvironment<?> environment, Throwable failure, String where, Runnable remove) {
    if (failure instanceof OutOfMemoryError error) {
      throw error;
    }
    if (failure instanceof IOException known) {
      return known;
    }
    String message =
        "The coprocessor "
            + environment.getInstance().getClass().getName()
            + " of "
            + where
            + " failed"
            + (complete ? ": " : " and is removed until the process starts again: ")
            + failure;
    Class<?> type = environment.getInstance().getClass();
    loader.faults().failed(type, message, failure);
    if (!complete) {
      remove.run();
      loader.absent().add(this, absent(type.getName(), true, where + " failed: " + failure));
    }
    return new DoNotRetryIOException(message, failure);
  }
}
