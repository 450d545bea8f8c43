package dev.cairn.coprocessor.environment;

import dev.cairn.engine.schema.TableSchema;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;

/** Builds the settings of tables for users' classes. */
public final class TableSettings {
  private TableSettings() {}

  /**
   * Returns the site's settings, which are shared, not copied, and above them the attributes and
   * the configuration of a table.
   */
  public static Configuration of(Configuration ofSite, TableSchema schema) {
    Map<String, String> ofTable = new HashMap<>();
    schema
        .message()
        .getAttributesList()
        .forEach(
            pair -> ofTable.put(pair.getFirst().toStringUtf8(), pair.getSecond().toStringUtf8()));
    schema
        .message()
        .getConfigurationList()
        .forEach(pair -> ofTable.put(pair.getName(), pair.getValue()));
    return new CompoundConfiguration().add(ofSite).addStringMap(ofTable);
  }
}
