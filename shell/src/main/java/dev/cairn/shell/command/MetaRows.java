package dev.cairn.shell.command;

import dev.cairn.shell.run.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;

/** Finds the regions of all tables. */
final class MetaRows {
  private MetaRows() {}

  /** Returns the regions of all tables with their servers. */
  static List<HRegionLocation> regions(Session session) throws IOException {
    List<HRegionLocation> regions = new ArrayList<>();
    Set<TableName> tables =
        new LinkedHashSet<>(List.of(session.admin().listTableNames(Pattern.compile(".*"), true)));
    tables.add(TableName.META_TABLE_NAME);
    for (TableName table : tables) {
      try (RegionLocator locator = session.connection().getRegionLocator(table)) {
        regions.addAll(locator.getAllRegionLocations());
      }
    }
    return regions;
  }
}
