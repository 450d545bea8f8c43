package dev.cairn.shell.command;

import dev.cairn.shell.output.Output.Rows;
import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.util.Bytes;

/** The commands of the group ddl that show the regions of tables. */
final class Regions {
  private static final List<String> COLUMNS =
      List.of(
          "SERVER_NAME", "REGION_NAME", "START_KEY", "END_KEY", "SIZE", "REQ", "LOCALITY", "STATE");

  private static final List<String> SHOWN = COLUMNS.subList(0, COLUMNS.size() - 1);

  /** The minimum padding of a column's title. */
  private static final Map<String, Integer> SPARE =
      Map.of("START_KEY", 1, "END_KEY", 3, "SIZE", 1, "REQ", 2, "LOCALITY", 2);

  private Regions() {}

  static void declare(Declarations ddl) {
    ddl.add(
            "list_regions",
            1,
            3,
            "Lists the regions of a table with size in megabytes and requests: all, those on servers"
                + " whose names begin with SERVER_NAME, or those with less LOCALITY_THRESHOLD. The"
                + " third argument names the columns to print.",
            Regions::list,
            "list_regions 't1'",
            "list_regions 't1', 'server1'",
            "list_regions 't1', {SERVER_NAME => 'server1', LOCALITY_THRESHOLD => 0.8}",
            "list_regions 't1', {}, ['REGION_NAME', 'STATE']")
        .with(Stream.concat(COLUMNS.stream(), Stream.of("LOCALITY_THRESHOLD")).toList())
        .add(
            "locate_region",
            2,
            2,
            "Prints the region that has a row, and its server.",
            Regions::locate,
            "locate_region 't1', 'row7'");
  }

  private static Value locate(Session session, Arguments arguments) throws IOException {
    try (RegionLocator locator = session.connection().getRegionLocator(Names.table(arguments))) {
      HRegionLocation location = locator.getRegionLocation(arguments.bytes(1, "The row"), true);
      Rows rows = session.output().table(List.of("HOST", "REGION"));
      rows.add(List.of(location.getHostnamePort(), location.getRegion().toString()));
      session.output().footer(1);
    }
    return Value.NIL;
  }

  private static Value list(Session session, Arguments arguments) throws IOException {
    TableName table = Names.table(arguments);
    List<String> columns = columns(arguments);
    Selection selection = selection(arguments.get(1));
    if (!session.admin().tableExists(table)) {
      throw new ShellException("Unknown table " + table + "!");
    }
    if (session.admin().isTableDisabled(table)) {
      throw new ShellException("Table " + table + " must be enabled.");
    }
    List<List<Object>> lines = new ArrayList<>();
    Map<ServerName, Map<String, RegionMetrics>> metrics = new HashMap<>();
    try (RegionLocator locator = session.connection().getRegionLocator(table)) {
      for (HRegionLocation location : locator.getAllRegionLocations()) {
        ServerName server = location.getServerName();
        if (server != null && !metrics.containsKey(server)) {
          metrics.put(server, metrics(session, server, table));
        }
        Optional<RegionMetrics> load =
            server == null
                ? Optional.empty()
                : Optional.ofNullable(
                    metrics.get(server).get(location.getRegion().getRegionNameAsString()));
        if (selection.takes(server, load)) {
          Map<String, Object> cells = cells(location.getRegion(), server, load);
          lines.add(columns.stream().<Object>map(cells::get).toList());
        }
      }
    }
    List<Integer> spares = columns.stream().map(name -> SPARE.getOrDefault(name, 0)).toList();
    session.output().aligned(columns, spares, lines);
    return Value.NIL;
  }

  private static Map<String, RegionMetrics> metrics(
      Session session, ServerName server, TableName table) throws IOException {
    Map<String, RegionMetrics> metrics = new HashMap<>();
    session
        .admin()
        .getRegionMetrics(server, table)
        .forEach(load -> metrics.put(load.getNameAsString(), load));
    return metrics;
  }

  /** The regions that are listed. */
  private record Selection(String server, Optional<Double> localityBelow) {
    boolean takes(ServerName name, Optional<RegionMetrics> load) {
      return (server.isEmpty() || name != null && name.toString().startsWith(server))
          && (localityBelow.isEmpty()
              || load.filter(l -> l.getDataLocality() < localityBelow.get()).isPresent());
    }
  }

  private static Selection selection(Value value) {
    if (value instanceof Value.Hash hash) {
      Options options = new Options(hash);
      String server = options.letters("SERVER_NAME").orElse("");
      Optional<Double> locality =
          options
              .take("LOCALITY_THRESHOLD")
              .map(
                  number ->
                      number instanceof Value.Decimal decimal
                          ? decimal.value()
                          : (double) Conversions.number(number, "LOCALITY_THRESHOLD"));
      options.requireNoMore("list_regions");
      return new Selection(server, locality);
    }
    return new Selection(
        value.equals(Value.NIL) ? "" : Conversions.letters(value, "The server"), Optional.empty());
  }

  private static List<String> columns(Arguments arguments) {
    List<String> wanted =
        arguments.names(2, "A column").stream().map(name -> name.toUpperCase(Locale.ROOT)).toList();
    for (String name : wanted) {
      if (!COLUMNS.contains(name)) {
        throw new ShellException(
            name
                + " is not a valid column. Possible values are "
                + String.join(", ", COLUMNS)
                + ".");
      }
    }
    return wanted.isEmpty() ? SHOWN : wanted;
  }

  /** Returns the cells of a region by column, without those that are unknown. */
  private static Map<String, Object> cells(
      RegionInfo region, ServerName server, Optional<RegionMetrics> load) {
    Map<String, Object> cells = new HashMap<>();
    cells.put("SERVER_NAME", server == null ? null : server.toString());
    cells.put("REGION_NAME", region.getRegionNameAsString());
    cells.put("START_KEY", Bytes.toStringBinary(region.getStartKey()));
    cells.put("END_KEY", Bytes.toStringBinary(region.getEndKey()));
    load.ifPresent(
        metrics -> {
          cells.put("SIZE", (long) metrics.getStoreFileSize().get(Size.Unit.MEGABYTE));
          cells.put("REQ", metrics.getRequestCount());
          cells.put("LOCALITY", metrics.getDataLocality());
          cells.put("STATE", "OPEN");
        });
    return cells;
  }
}
