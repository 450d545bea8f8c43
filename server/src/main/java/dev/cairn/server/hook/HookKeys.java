package dev.cairn.server.hook;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SecurityRules;
import dev.cairn.server.config.SiteConfig;
import java.util.List;
import java.util.Set;

/** The keys of coprocessors. */
public final class HookKeys {
  /** {@code hbase.coprocessor.enabled}. */
  public static final ConfigKey<Boolean> ENABLED =
      ConfigKey.flag(
          "hbase.coprocessor.enabled",
          true,
          "Whether coprocessors run. If false, the classes that the site and tables name are not"
              + " loaded.");

  /** {@code hbase.coprocessor.user.enabled}. */
  public static final ConfigKey<Boolean> USER_ENABLED =
      ConfigKey.flag(
          "hbase.coprocessor.user.enabled",
          true,
          "Whether the coprocessors that tables name run. If false, such tables are served"
              + " without them.");

  static final ConfigKey<String> REGION =
      ConfigKey.text(
          "hbase.coprocessor.region.classes",
          "",
          "Coprocessors of every region: class names, separated by commas. A class may be followed"
              + " by its priority and its jar, as class|priority|jar. A server does not start with"
              + " a class that cannot be loaded. MultiRowMutationEndpoint is built in, whether named or not.");

  static final ConfigKey<String> USER_REGION =
      ConfigKey.text(
          "hbase.coprocessor.user.region.classes",
          "",
          "Coprocessors of the regions of user tables, with the rules of"
              + " hbase.coprocessor.region.classes.");

  /** {@code hbase.coprocessor.master.classes}. */
  public static final ConfigKey<String> MASTER =
      ConfigKey.text(
          "hbase.coprocessor.master.classes",
          "",
          "Coprocessors of the active master: class names, separated by commas, as in"
              + " hbase.coprocessor.region.classes. A master does not become active with a class"
              + " that cannot be loaded or does not start, unless hbase.coprocessor.abortonerror is false."
              + " MasterQuotasObserver and RSGroupAdminEndpoint are built in; the second turns"
              + " groups of region servers on.");

  /** The coprocessors of the master that are built in. */
  public static final Set<String> BUILT_IN_OF_MASTER =
      Set.of(
          "org.apache.hadoop.hbase.quotas.MasterQuotasObserver",
          "org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint");

  /** {@code hbase.coprocessor.abortonerror}. */
  public static final ConfigKey<Boolean> ABORT_ON_ERROR =
      ConfigKey.flag(
          "hbase.coprocessor.abortonerror",
          true,
          "Whether a region server does not start, and a master does not become active, if a"
              + " coprocessor that the site names for it, for its logs or for regions cannot be"
              + " loaded, or one of the first two does not start. If false, it runs without the"
              + " coprocessor, and logs an error. If false, a coprocessor whose hook throws"
              + " an exception other than an IOException is removed until the region opens or the"
              + " process starts again; if true, it stays: unlike HBase, Cairn does not end a"
              + " running server or master.");

  /** {@code hbase.coprocessor.regionserver.classes}. */
  public static final ConfigKey<String> SERVER =
      ConfigKey.text(
          "hbase.coprocessor.regionserver.classes",
          "",
          "Coprocessors of the region server: class names, separated by commas, as in"
              + " hbase.coprocessor.region.classes. A server does not start with a class that"
              + " cannot be loaded or does not start, unless hbase.coprocessor.abortonerror is false.");

  /** {@code hbase.coprocessor.wal.classes}. */
  public static final ConfigKey<String> WAL =
      ConfigKey.text(
          "hbase.coprocessor.wal.classes",
          "",
          "Coprocessors of the region server's logs, with the rules of"
              + " hbase.coprocessor.regionserver.classes.");

  /** {@code hbase.coprocessor.classloader.included.classes}. */
  public static final ConfigKey<String> INCLUDED_CLASSES =
      ConfigKey.text(
          "hbase.coprocessor.classloader.included.classes",
          "",
          "Prefixes of classes that come from the jar of a table's coprocessor although they have a"
              + " prefix whose classes otherwise come from the server, such as"
              + " org.apache.hadoop.hbase; separated by semicolons. A table's attribute, or a class's"
              + " argument, of this name wins.");

  /** {@code hbase.coprocessor.region.whitelist.paths}. */
  public static final ConfigKey<String> ALLOWED_PATHS =
      ConfigKey.text(
          "hbase.coprocessor.region.whitelist.paths",
          "",
          "Folders of the jars that tables may name for their coprocessors, separated by commas; *"
              + " allows all. A path without a scheme is one of the default file system. * in a path"
              + " stands for any text, also for several folders; links inside a folder are"
              + " followed. A jar with one of the characters {}[]?\\ is refused unless all are"
              + " allowed. Default: all if the region server listens on the loopback alone, else"
              + " none, because there is no access control. Jars that the site names are always"
              + " allowed.");

  static final ConfigKey<Boolean> SKIP_DUPLICATES =
      ConfigKey.flag(
          "hbase.skip.load.duplicate.table.coprocessor",
          false,
          "Whether a table's coprocessor is skipped if the site names the same class.");

  /** {@code hbase.hregion.row.processor.timeout}. */
  public static final ConfigKey<Long> ROW_PROCESSOR_LIMIT =
      ConfigKey.number(
          "hbase.hregion.row.processor.timeout",
          60_000,
          -1,
          Integer.MAX_VALUE,
          "How long a row processor of a coprocessor may take, ms; -1 for no limit. A table's"
              + " attribute of this name wins.");

  private HookKeys() {}

  /** Returns all keys. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        ENABLED,
        USER_ENABLED,
        REGION,
        USER_REGION,
        MASTER,
        ABORT_ON_ERROR,
        SERVER,
        WAL,
        INCLUDED_CLASSES,
        ALLOWED_PATHS,
        SKIP_DUPLICATES,
        ROW_PROCESSOR_LIMIT);
  }

  /** Tells whether the coprocessors that tables name run. */
  public static boolean runsTableClasses(SiteConfig config) {
    return config.get(ENABLED) && config.get(USER_ENABLED);
  }

  /**
   * Returns the enabled coprocessors of regions that a key of the site names.
   *
   * @param key the key for all regions or the key for user tables
   */
  public static List<CoprocessorClass> regionClasses(SiteConfig config, String key) {
    if (key.equals(REGION.name())) {
      return config.get(ENABLED) ? classes(config, REGION) : List.of();
    }
    return runsTableClasses(config) ? classes(config, USER_REGION) : List.of();
  }

  /**
   * Returns the coprocessors of a key, without those for access control, which {@link
   * SecurityRules} judges.
   *
   * @throws ConfigException if a value is malformed
   */
  public static List<CoprocessorClass> classes(SiteConfig config, ConfigKey<String> key) {
    try {
      return CoprocessorClass.ofSite(key.name(), config.get(key)).stream()
          .filter(one -> !SecurityRules.guardsAccess(one.className()))
          .toList();
    } catch (IllegalArgumentException e) {
      throw new ConfigException(key.name() + ": " + e.getMessage(), e);
    }
  }
}
