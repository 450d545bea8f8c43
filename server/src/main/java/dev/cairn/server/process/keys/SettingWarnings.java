package dev.cairn.server.process.keys;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.SchemaReview;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The warnings about settings that do not work as users expect. Thread-safe. */
public final class SettingWarnings {
  private final List<String> ofSite;
  private final Supplier<? extends Collection<HostedRegion>> regions;
  private final SchemaReview schemas = ProcessSettings.schemaReview();

  /**
   * Creates the warnings.
   *
   * @param ofSite the warnings about the settings of the site
   * @param regions returns the open regions
   */
  public SettingWarnings(
      List<String> ofSite, Supplier<? extends Collection<HostedRegion>> regions) {
    this.ofSite = List.copyOf(ofSite);
    this.regions = regions;
  }

  /** Returns those about the site, then those about the tables with open regions. */
  public List<String> all() {
    List<String> warnings = new ArrayList<>(ofSite);
    Map<TableName, TableSchema> tables = new HashMap<>();
    TableSchema last = null; // most regions are of the same table as the one before
    for (HostedRegion region : regions.get()) {
      if (region.schema() != last) {
        last = region.schema();
        tables.put(region.info().table(), last);
      }
    }
    tables.keySet().stream()
        .sorted(Comparator.comparing(TableName::toString))
        .forEach(
            name ->
                schemas
                    .warnings(tables.get(name))
                    .forEach(warning -> warnings.add("Table " + name + ": " + warning)));
    return warnings;
  }
}
