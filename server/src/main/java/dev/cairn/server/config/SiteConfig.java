package dev.cairn.server.config;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The settings of one server: the texts of {@code hbase-site.xml}, read through {@link ConfigKey}s,
 * the requests of {@code core-site.xml}, and the paths of the files that hold Hadoop's settings.
 * Immutable.
 */
public final class SiteConfig {

  /**
   * The settings of Hadoop's {@code core-site.xml} that {@link SecurityRules} covers. HBase reads
   * that file from its configuration folder, too: Hadoop's login takes {@code
   * hadoop.security.authentication} from there, whatever {@code hbase-site.xml} says. Immutable.
   *
   * @param file the file, which need not exist
   * @param texts its keys with their texts
   */
  public record CoreSite(Path file, Map<String, String> texts) {
    /** The file's name. */
    public static final String FILE_NAME = "core-site.xml";

    /** Copies the keys. */
    public CoreSite {
      texts = Map.copyOf(texts);
    }

    /** Returns the settings of a site without such a file. */
    static CoreSite none() {
      return new CoreSite(Path.of(FILE_NAME), Map.of());
    }
  }

  private final Map<String, String> texts;
  private final CoreSite core;
  private final List<Path> hadoopFiles;

  /** Creates settings from keys and their texts. */
  public SiteConfig(Map<String, String> texts) {
    this(texts, CoreSite.none());
  }

  /** Creates settings from keys and their texts, and those of {@code core-site.xml}. */
  public SiteConfig(Map<String, String> texts, CoreSite core) {
    this(texts, core, List.of());
  }

  /**
   * Creates settings from keys and their texts, and those of Hadoop's files.
   *
   * @param hadoopFiles the files that Hadoop's client reads; later ones override earlier ones
   */
  SiteConfig(Map<String, String> texts, CoreSite core, List<Path> hadoopFiles) {
    this.texts = Map.copyOf(texts);
    this.core = core;
    this.hadoopFiles = List.copyOf(hadoopFiles);
  }

  /** Returns the value of {@code key}, its default if it is not set. */
  public <T> T get(ConfigKey<T> key) {
    return find(key).orElseGet(() -> key.value(key.defaultText()));
  }

  /** Returns the value of {@code key} if it is set. */
  public <T> Optional<T> find(ConfigKey<T> key) {
    return nameInUse(key).map(name -> key.value(name, texts.get(name)));
  }

  /** Returns the name under which {@code key} is set: its own, or its newest old name. */
  public Optional<String> nameInUse(ConfigKey<?> key) {
    if (texts.containsKey(key.name())) {
      return Optional.of(key.name());
    }
    return key.oldNames().stream().filter(texts::containsKey).findFirst();
  }

  /** Returns these settings with one changed. */
  public SiteConfig with(ConfigKey<?> key, String text) {
    return withTexts(Map.of(key.name(), text));
  }

  /** Returns these settings with some changed or added. */
  public SiteConfig withTexts(Map<String, String> others) {
    Map<String, String> changed = new TreeMap<>(texts);
    changed.putAll(others);
    return new SiteConfig(changed, core, hadoopFiles);
  }

  /** Returns these settings with those of {@code keys} as {@code other} has them, set or not. */
  SiteConfig withAllOf(Collection<ConfigKey<?>> keys, SiteConfig other) {
    Map<String, String> changed = new TreeMap<>(texts);
    for (ConfigKey<?> key : keys) {
      changed.remove(key.name());
      key.oldNames().forEach(changed::remove);
      other.nameInUse(key).ifPresent(name -> changed.put(name, other.texts.get(name)));
    }
    return new SiteConfig(changed, core, hadoopFiles);
  }

  /**
   * Checks the values of {@code keys}, so that an impossible one is reported at the start, not when
   * it is first used. Ignores other keys that are set.
   *
   * @throws ConfigException naming the first key with an impossible value
   */
  public void check(Collection<ConfigKey<?>> keys) {
    for (ConfigKey<?> key : keys) {
      get(key);
    }
  }

  /** Returns the settings of {@code core-site.xml}, which are not among {@link #texts}. */
  public CoreSite core() {
    return core;
  }

  /**
   * Returns the files that Hadoop's client reads: those of {@code core-site.xml} and {@code
   * hdfs-site.xml} that exist.
   */
  public List<Path> hadoopFiles() {
    return hadoopFiles;
  }

  /** Returns all keys that are set, with their texts, ordered. */
  public Map<String, String> texts() {
    return new TreeMap<>(texts);
  }
}
