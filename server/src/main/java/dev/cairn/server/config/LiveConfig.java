package dev.cairn.server.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of a process, which can be reloaded while it runs. Keys that {@linkplain
 * ConfigKey#changesAtRunTime change at run time} then take effect; all others keep their values
 * until the next start. Thread-safe.
 *
 * <p>Components do not read keys again. They hold values {@linkplain #derive derived} from the
 * settings, and get the current value on each use.
 */
public final class LiveConfig {
  private static final Logger LOG = LoggerFactory.getLogger(LiveConfig.class);

  private final Supplier<SiteConfig> source;
  private final Collection<ConfigKey<?>> keys;
  private final Function<SiteConfig, List<String>> review;
  private final List<Derived<?>> derived = new ArrayList<>(); // guarded by this
  private final List<Runnable> followers = new ArrayList<>(); // guarded by this
  private volatile SiteConfig current;

  /**
   * Creates settings that can be read again.
   *
   * @param start the settings of the start
   * @param source reads the settings again; throws {@link ConfigException} if they cannot be read
   * @param keys all keys that the process reads
   * @param review checks settings and returns warnings; throws {@link ConfigException} if they
   *     would be refused at a start
   */
  public LiveConfig(
      SiteConfig start,
      Supplier<SiteConfig> source,
      Collection<ConfigKey<?>> keys,
      Function<SiteConfig, List<String>> review) {
    this.current = start;
    this.source = source;
    this.keys = List.copyOf(keys);
    this.review = review;
  }

  /** Returns settings that never change; {@link #reload} is refused. */
  public static LiveConfig fixed(SiteConfig config) {
    return new LiveConfig(config, LiveConfig::withoutFile, List.of(), read -> List.of());
  }

  /** The source of settings that were not read from a file. */
  public static SiteConfig withoutFile() {
    throw new ConfigException(
        "This server was started without a configuration folder, so there is no "
            + SiteConfigLoader.FILE_NAME
            + " to read again");
  }

  /** Returns the settings that are in force now. */
  public SiteConfig current() {
    return current;
  }

  /**
   * Derives a value from the settings, now and after each change of the settings. Getting the
   * current value costs a volatile read.
   *
   * @param derivation an exception from it rejects all of the new settings, so it must have no side
   *     effects
   */
  public synchronized <T> Supplier<T> derive(Function<SiteConfig, T> derivation) {
    Derived<T> value = new Derived<>(derivation, derivation.apply(current));
    derived.add(value);
    return value;
  }

  /**
   * Adds a task to run after each reload that succeeds, on the thread of the reload. The task must
   * not block, throw or reload.
   */
  public synchronized void afterReload(Runnable task) {
    followers.add(task);
  }

  /**
   * The changes of a reload.
   *
   * @param changed the keys that have taken effect, ordered by name
   * @param atNextStart the keys whose values differ from those in force and take effect at the next
   *     start, ordered by name
   */
  public record Reload(List<Change> changed, List<Change> atNextStart) {}

  /**
   * A changed key.
   *
   * @param key its name
   * @param from the text that is or was in force
   * @param to the text in the file, or the default
   */
  public record Change(String key, String from, String to) {
    @Override
    public String toString() {
      return key + " from <" + from + "> to <" + to + ">";
    }
  }

  /**
   * Reads the settings again, puts the values of keys that change at run time into force, and logs
   * what changed. Blocks for the time of reading a file.
   *
   * @throws ConfigException if the file cannot be read or has an impossible value; then nothing has
   *     changed
   */
  public synchronized Reload reload() {
    SiteConfig read = source.get();
    List<String> warnings = new ArrayList<>(review.apply(read));
    warnings.removeAll(review.apply(current));
    Reload reload = compare(read);
    SiteConfig next =
        current.withAllOf(keys.stream().filter(ConfigKey::changesAtRunTime).toList(), read);
    review.apply(next); // the file's values together may conflict with values of the start
    List<Runnable> publications = new ArrayList<>();
    for (Derived<?> value : derived) {
      publications.add(value.prepare(next));
    }
    publications.forEach(Runnable::run);
    current = next;
    followers.forEach(Runnable::run);
    log(reload, warnings);
    return reload;
  }

  private Reload compare(SiteConfig read) {
    List<Change> changed = new ArrayList<>();
    List<Change> atNextStart = new ArrayList<>();
    for (ConfigKey<?> key : keys) {
      Change change = new Change(key.name(), text(key, current), text(key, read));
      // A key that falls back to another one differs from its own default even if it is equal.
      if (!read.find(key).equals(current.find(key))) {
        if (key.changesAtRunTime()) {
          changed.add(change);
        } else if (!read.get(key).equals(current.get(key))) {
          atNextStart.add(change);
        }
      }
    }
    changed.sort(Comparator.comparing(Change::key));
    atNextStart.sort(Comparator.comparing(Change::key));
    return new Reload(List.copyOf(changed), List.copyOf(atNextStart));
  }

  private static String text(ConfigKey<?> key, SiteConfig config) {
    return config.nameInUse(key).map(config.texts()::get).orElse(key.defaultText());
  }

  private static void log(Reload reload, List<String> warnings) {
    LOG.info("The settings were read again; {} keys changed", reload.changed().size());
    reload.changed().forEach(change -> LOG.info("Changed {}", change));
    reload
        .atNextStart()
        .forEach(
            change ->
                LOG.warn(
                    "{} cannot change at run time: it takes effect at the next start", change));
    warnings.forEach(LOG::warn);
  }

  /** A value derived from the settings. */
  private static final class Derived<T> implements Supplier<T> {
    private final Function<SiteConfig, T> derivation;
    private volatile T value;

    Derived(Function<SiteConfig, T> derivation, T value) {
      this.derivation = derivation;
      this.value = value;
    }

    Runnable prepare(SiteConfig config) {
      T next = derivation.apply(config);
      return () -> value = next;
    }

    @Override
    public T get() {
      return value;
    }
  }
}
