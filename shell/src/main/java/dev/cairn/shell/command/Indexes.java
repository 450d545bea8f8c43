package dev.cairn.shell.command;

import dev.cairn.server.catalog.IndexProgress;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetRegionLoadRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/**
 * The commands for secondary indexes. An index is an attribute of its table, which the server
 * checks; region servers report how much of it exists.
 */
final class Indexes {
  /** The prefix of the attributes' names. The name of the index follows. */
  private static final String PREFIX = "cairn.index.";

  private static final List<String> COLUMNS =
      List.of("INDEX", "COLUMNS", "STATE", "REGIONS", "FILES");

  /** The attribute of a scan that allows or forbids the use of indexes. */
  private static final String HINT = "cairn.index";

  private static final Pattern ORDER = Pattern.compile("(?i).*\\s(ASC|DESC)");

  private Indexes() {}

  static void declare(Declarations ddl) {
    ddl.add(
            "create_index",
            3,
            3,
            "Declares a secondary index of a table. The servers build it in the background, and"
                + " scans with filters use it when it is complete. An index of several columns is"
                + " for filters on each of them. INCLUDE and WHERE are not supported.",
            Indexes::create,
            "create_index 't1', 'by_city', COLUMNS => 'f1:city'",
            "create_index 't1', 'i1', COLUMNS => ['f1:a', 'f1:b']")
        .with(List.of("COLUMNS", "INCLUDE", "WHERE"))
        .add(
            "drop_index",
            2,
            2,
            "Removes a secondary index of a table. Scans stop using it at once.",
            Indexes::drop,
            "drop_index 't1', 'by_city'")
        .add(
            "list_indexes",
            1,
            1,
            "Lists the secondary indexes of a table with their columns and their states: READY;"
                + " BUILDING; or PAUSED if no compaction builds it, because the table or its"
                + " compactions are disabled. REGIONS and FILES show how many have the index, and"
                + " how many there are.",
            Indexes::list,
            "list_indexes 't1'")
        .alias("describe_indexes");
  }

  private static Value create(Session session, Arguments arguments) throws IOException {
    TableName table = Names.table(arguments);
    String name = arguments.letters(1, "The index");
    Options options = arguments.options();
    refuse(
        options,
        "INCLUDE",
        "an index has values of its columns and their rows; a scan reads all else from the row");
    refuse(
        options,
        "WHERE",
        "an index has all values of its columns; a write does not read the row, so it knows no"
            + " values of other columns");
    List<Value> columns = options.take("COLUMNS").map(Conversions::list).orElse(List.of());
    options.requireNoMore("create_index");
    if (columns.isEmpty()) {
      throw new ShellException("COLUMNS must name the columns: COLUMNS => ['f:a', 'f:b']");
    }
    TableDescriptor old = descriptor(session, table);
    requireIndexes(session);
    if (old.getValue(PREFIX + name) != null) {
      throw new ShellException("Table " + table + " has an index " + name + "; drop it first");
    }
    TableDescriptorBuilder changed =
        TableDescriptorBuilder.newBuilder(old)
            .setValue(
                PREFIX + name,
                columns.stream().map(Indexes::attribute).collect(Collectors.joining(", ")));
    return Alterations.apply(session, changed.build());
  }

  /**
   * Refuses servers that do not know indexes: HBase and earlier versions of Cairn store any
   * attribute. Others refuse a scan with a hint that does not exist.
   */
  private static void requireIndexes(Session session) throws IOException {
    Scan scan = new Scan().setLimit(1).setAttribute(HINT, Bytes.toBytes("?"));
    try (Table meta = session.table(TableName.META_TABLE_NAME);
        ResultScanner rows = meta.getScanner(scan)) {
      rows.next();
    } catch (DoNotRetryIOException e) {
      if (String.valueOf(e.getMessage()).contains(HINT)) {
        return;
      }
      throw e;
    }
    throw new ShellException(
        "The servers have no secondary indexes: they are HBase, or an earlier version of Cairn,"
            + " and would store the index as an attribute without effect");
  }

  private static void refuse(Options options, String option, String reason) {
    if (options.has(option)) {
      throw new ShellException(option + " is not supported: " + reason);
    }
  }

  /** Returns a column as the attribute has it. */
  private static String attribute(Value column) {
    String text = Constraints.escaped(Conversions.bytes(column, "COLUMNS"));
    if (ORDER.matcher(text).matches()) {
      throw new ShellException(
          "'"
              + text
              + "': an index has no order, because a scan returns rows in their own order; name the column alone");
    }
    return text.replace(",", "\\x2C").replace(" ", "\\x20");
  }

  private static Value drop(Session session, Arguments arguments) throws IOException {
    TableName table = Names.table(arguments);
    String attribute = PREFIX + arguments.letters(1, "The index");
    TableDescriptor old = descriptor(session, table);
    if (old.getValue(attribute) == null) {
      throw new ShellException(
          "Table " + table + " has no index " + arguments.letters(1, "The index"));
    }
    return Alterations.apply(
        session, TableDescriptorBuilder.newBuilder(old).removeValue(attribute).build());
  }

  private static TableDescriptor descriptor(Session session, TableName table) throws IOException {
    Schemas.requireExists(session, table);
    return session.admin().getDescriptor(table);
  }

  private static Value list(Session session, Arguments arguments) throws IOException {
    TableName name = Names.table(arguments);
    TableDescriptor table = descriptor(session, name);
    Map<String, String> attributes = attributes(table);
    List<IndexProgress> indexes = List.of();
    boolean mayCompact = false;
    if (!attributes.isEmpty()) {
      requireIndexes(session);
      mayCompact = table.isCompactionEnabled() && session.admin().isTableEnabled(name);
      indexes =
          IndexProgress.ofTable(attributes, table.getColumnFamilyNames(), loads(session, name));
    }
    boolean problems = indexes.stream().anyMatch(index -> index.problem().isPresent());
    List<String> columns = new ArrayList<>(COLUMNS);
    if (problems) {
      columns.add("PROBLEM");
    }
    Rows rows = session.output().table(columns);
    for (IndexProgress index : indexes) {
      add(rows, index, index.state(mayCompact).name(), problems);
    }
    session.output().footer(indexes.size());
    return Value.NIL;
  }

  private static Map<String, String> attributes(TableDescriptor table) {
    Map<String, String> attributes = new HashMap<>();
    table
        .getValues()
        .forEach(
            (key, value) -> {
              String name = Bytes.toString(key.get(), key.getOffset(), key.getLength());
              if (name.startsWith(PREFIX)) {
                attributes.put(
                    name, Bytes.toString(value.get(), value.getOffset(), value.getLength()));
              }
            });
    return attributes;
  }

  private static void add(Rows rows, IndexProgress index, String state, boolean problems) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("index", index.name());
    fields.put("columns", index.columns());
    fields.put("state", state);
    fields.put("regions", index.regions());
    fields.put("completeRegions", index.completeRegions());
    fields.put("files", index.files());
    fields.put("indexedFiles", index.indexedFiles());
    index.problem().ifPresent(problem -> fields.put("problem", problem));
    List<String> values =
        new ArrayList<>(
            List.of(
                index.name(),
                String.join(", ", index.columns()),
                state,
                index.completeRegions() + "/" + index.regions(),
                index.indexedFiles() + "/" + index.files()));
    if (problems) {
      values.add(index.problem().orElse(""));
    }
    rows.add(values, fields);
  }

  /** Returns the loads of a table's regions, empty for regions that are not open. */
  private static List<Optional<RegionLoad>> loads(Session session, TableName table)
      throws IOException {
    List<HRegionLocation> locations;
    try (RegionLocator locator = session.connection().getRegionLocator(table)) {
      locations =
          locator.getAllRegionLocations().stream()
              .filter(
                  location -> location.getRegion().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID)
              .toList();
    }
    Set<ServerName> servers = new HashSet<>(session.admin().getRegionServers());
    Map<String, RegionLoad> byRegion = new HashMap<>();
    for (HRegionLocation location : locations) {
      if (servers.remove(location.getServerName())) {
        loads(session, location.getServerName(), table)
            .forEach(load -> byRegion.put(encodedName(load), load));
      }
    }
    List<Optional<RegionLoad>> loads = new ArrayList<>();
    for (HRegionLocation location : locations) {
      loads.add(Optional.ofNullable(byRegion.get(location.getRegion().getEncodedName())));
    }
    return loads;
  }

  private static String encodedName(RegionLoad load) {
    return RegionInfo.encodeRegionName(load.getRegionSpecifier().getValue().toByteArray());
  }

  /** Asks a region server; {@code Admin} would leave out the fields that only Cairn has. */
  private static List<RegionLoad> loads(Session session, ServerName server, TableName table)
      throws IOException {
    GetRegionLoadRequest request =
        GetRegionLoadRequest.newBuilder()
            .setTableName(ProtobufUtil.toProtoTableName(table))
            .build();
    try {
      return ((ClusterConnection) session.connection())
          .getAdmin(server)
          .getRegionLoad(null, request)
          .getRegionLoadsList();
    } catch (ServiceException e) {
      throw ProtobufUtil.handleRemoteException(e);
    }
  }
}
