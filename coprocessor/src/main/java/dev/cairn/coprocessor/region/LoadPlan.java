package dev.cairn.coprocessor.region;

import dev.cairn.coprocessor.environment.Endings;
import dev.cairn.coprocessor.environment.ServerEnvironment;
import dev.cairn.coprocessor.environment.TableSettings;
import dev.cairn.coprocessor.load.CoprocessorLoader;
import dev.cairn.coprocessor.measure.RegionMeter;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.hook.CoprocessorClass;
import dev.cairn.server.hook.HookKeys;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;

/**
 * Which classes a region loads. For HBase's host these are settings, which it hands to its loading,
 * and in which it finds no class by itself: neither in the site's keys nor in the table's
 * attributes.
 */
final class LoadPlan extends CompoundConfiguration {
  private final CoprocessorLoader loader;
  private final List<CoprocessorClass> classes;
  private final RegionMeter meter;
  private final Configuration ofTable;
  private final boolean removesFailing;
  private final Endings endings;

  /** Creates it. */
  LoadPlan(
      ServerEnvironment server,
      TableSchema schema,
      CoprocessorLoader loader,
      List<CoprocessorClass> classes) {
    addStringMap(
        Map.of(
            CoprocessorHost.COPROCESSORS_ENABLED_CONF_KEY,
            "false",
            CoprocessorHost.USER_COPROCESSORS_ENABLED_CONF_KEY,
            "false"));
    this.loader = loader;
    this.classes = classes;
    this.meter = server.meter(schema.name());
    this.ofTable = TableSettings.of(server.settings(), schema);
    this.removesFailing = !server.settings().getBoolean(HookKeys.ABORT_ON_ERROR.name(), true);
    this.endings = server.endings();
  }

  /** Returns the classes in their order. */
  List<CoprocessorClass> classes() {
    return classes;
  }

  /** Returns what measures the region's hooks. */
  RegionMeter meter() {
    return meter;
  }

  /** Returns where classes are found and judged. */
  CoprocessorLoader loader() {
    return loader;
  }

  /** Tells whether the site wants a coprocessor that fails unexpectedly to be removed. */
  boolean removesFailing() {
    return removesFailing;
  }

  /** Returns what calls the {@code stop} of a coprocessor that is removed. */
  Endings endings() {
    return endings;
  }

  /** Returns the region's settings: the site's, and above them the table's attributes. */
  Configuration settings() {
    return ofTable;
  }

  /**
   * Returns the settings that a coprocessor sees: the site's, above them the table's attributes,
   * and above these its arguments. The site's are shared, not copied.
   */
  Configuration settings(CoprocessorClass one) {
    return new CompoundConfiguration().add(ofTable).addStringMap(one.arguments());
  }
}
