package dev.cairn.server.catalog;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.CatalogContents.IncompleteRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows and columns of {@code hbase:meta} as HBase 2.6 writes and reads them.
 *
 * <pre>
 *   row: a region's name            info:regioninfo           PBUF, RegionInfo message
 *                                   info:state                the state's name, for example OPEN
 *                                   info:sn                   host,port,startcode that the state refers to
 *                                   info:server               host:port where it was opened last; empty once that
 *                                                             server is dead, as if no server had been written
 *                                   info:serverstartcode      that server's start code, 8 bytes
 *                                   info:seqnumDuringOpen     its sequence number then, 8 bytes
 *                                   info:splitA, info:splitB  of a region that was split: its daughters
 *                                   info:merge0000 …          of a merged region: what it was made of
 *                                   info:state_0001 …         state, sn, server, serverstartcode and
 * seqnumDuringOpen of replica 1, and so on
 *   row: a table's name             table:state               TableState message
 * </pre>
 *
 * Source: the reference guide's chapter on catalog tables, and the rows that HBase's own client
 * reads.
 */
public final class MetaFormat {
  static final byte[] INFO = Bytes.utf8("info");
  static final byte[] TABLE = Bytes.utf8("table");
  private static final byte[] REGION_INFO = Bytes.utf8("regioninfo");
  private static final byte[] STATE = Bytes.utf8("state");
  private static final byte[] STATE_SERVER = Bytes.utf8("sn");
  private static final byte[] SERVER = Bytes.utf8("server");
  private static final byte[] START_CODE = Bytes.utf8("serverstartcode");
  private static final byte[] SPLIT_LOWER = Bytes.utf8("splitA");
  private static final byte[] SPLIT_UPPER = Bytes.utf8("splitB");
  private static final String MERGE_PREFIX = "merge";
  private static final byte[] OPEN_SEQUENCE = Bytes.utf8("seqnumDuringOpen");

  private static final Logger LOG = LoggerFactory.getLogger(MetaFormat.class);

  private MetaFormat() {}

  /** Returns the descriptor of {@code hbase:meta}. */
  public static TableSchema schema() {
    Map<String, String> attributes =
        Map.of(
            "VERSIONS", "3",
            "IN_MEMORY", "true",
            "BLOCKSIZE", "8192",
            "BLOOMFILTER", "ROWCOL");
    HBaseProtos.TableSchema.Builder message =
        TableSchema.of(
            TableName.META,
            FamilySchema.of("info", attributes),
            FamilySchema.of(
                "rep_barrier",
                Map.of("VERSIONS", Integer.toString(Integer.MAX_VALUE), "IN_MEMORY", "true")),
            FamilySchema.of("table", attributes))
            .message()
            .toBuilder();
    message.addAttributes(attribute("IS_META", "true"));
    // HBase reads the descriptor that it finds, and cannot split or merge regions without this.
    message.addAttributes(
        attribute(
            "coprocessor$1",
            "|org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint|536870911|"));
    return new TableSchema(message.build());
  }

  /** Returns the descriptor of {@code hbase:meta} with another number of copies. */
  public static TableSchema withCopies(TableSchema meta, int copies) {
    return meta.with("REGION_REPLICATION", Integer.toString(copies));
  }

  private static HBaseProtos.BytesBytesPair attribute(String name, String value) {
    return HBaseProtos.BytesBytesPair.newBuilder()
        .setFirst(Messages.wrap(Bytes.utf8(name)))
        .setSecond(Messages.wrap(Bytes.utf8(value)))
        .build();
  }

  /**
   * A column of the family {@code info}.
   *
   * @param qualifier its qualifier
   * @param value its value
   */
  public record InfoColumn(byte[] qualifier, byte[] value) {}

  /** Returns the columns that say where a region, or a replica of one, is open. */
  public static List<InfoColumn> columns(CatalogChange.RegionOpened opened) {
    ServerName server = opened.server();
    int id = opened.region().replicaId();
    List<InfoColumn> columns = new ArrayList<>();
    if (id == 0) {
      columns.add(
          new InfoColumn(REGION_INFO, Messages.prefixed(Messages.message(opened.region()))));
    }
    columns.add(new InfoColumn(of(STATE, id), Bytes.utf8(RegionState.State.OPEN.name())));
    columns.add(new InfoColumn(of(STATE_SERVER, id), Bytes.utf8(server.toString())));
    columns.add(new InfoColumn(of(SERVER, id), Bytes.utf8(server.hostAndPort())));
    columns.add(new InfoColumn(of(START_CODE, id), Bytes.ofLong(server.startCode())));
    columns.add(new InfoColumn(of(OPEN_SEQUENCE, id), Bytes.ofLong(opened.openSequence())));
    return columns;
  }

  /** Returns the names of all columns of a replica. */
  public static List<byte[]> replicaColumns(int id) {
    return List.of(
        of(STATE, id),
        of(STATE_SERVER, id),
        of(SERVER, id),
        of(START_CODE, id),
        of(OPEN_SEQUENCE, id));
  }

  /** Returns the column of a replica that is the region's {@code column}. */
  private static byte[] of(byte[] column, int replica) {
    return replica == 0 ? column : Bytes.concat(column, Bytes.utf8(suffix(replica)));
  }

  private static String suffix(int replica) {
    return "_%04X".formatted(replica);
  }

  /** Returns the row of a region; a replica has columns in the row of its region. */
  private static byte[] row(RegionInfo region) {
    return region.replica(0).regionName();
  }

  /**
   * Returns the mutations that do {@code change} at {@code timestamp}, all together or not at all.
   */
  static List<MutationProto> mutations(CatalogChange change, long timestamp) {
    // One case per kind of change; Java 17 has no pattern switch.
    if (change instanceof CatalogChange.SplitRegion split) {
      return List.of(
          Mutations.put(
              split.parent().regionName(),
              timestamp,
              regionInfo(split.splitParent()),
              state(RegionState.State.SPLIT),
              info(SPLIT_LOWER, Messages.prefixed(Messages.message(split.lower()))),
              info(SPLIT_UPPER, Messages.prefixed(Messages.message(split.upper())))),
          add(split.lower(), split.opening(), timestamp),
          add(split.upper(), split.opening(), timestamp));
    } else if (change instanceof CatalogChange.MergeRegions merge) {
      List<MutationProto> all = new ArrayList<>();
      List<Mutations.Column> columns = newRegion(merge.merged(), merge.opening());
      List<RegionInfo> named = merge.named();
      for (int i = 0; i < named.size(); i++) {
        columns.add(info(mergeColumn(i), Messages.prefixed(Messages.message(named.get(i)))));
      }
      for (RegionInfo parent : merge.parents()) {
        all.add(Mutations.deleteFamily(parent.regionName(), INFO, timestamp));
      }
      all.add(
          Mutations.put(
              merge.merged().regionName(), timestamp, columns.toArray(Mutations.Column[]::new)));
      return all;
    }
    return List.of(mutation(change, timestamp));
  }

  private static MutationProto mutation(CatalogChange change, long timestamp) {
    if (change instanceof CatalogChange.AddRegion add) {
      return add(add.region(), Optional.empty(), timestamp);
    } else if (change instanceof CatalogChange.RemoveReplica remove) {
      return Mutations.deleteColumns(
          row(remove.replica()), INFO, replicaColumns(remove.replica().replicaId()), timestamp);
    } else if (change instanceof CatalogChange.ForgetMerge forget) {
      return Mutations.deleteColumns(
          forget.merged().regionName(),
          INFO,
          IntStream.range(0, forget.parents().size()).mapToObj(MetaFormat::mergeColumn).toList(),
          timestamp);
    } else if (change instanceof CatalogChange.SetRegionState set) {
      int id = set.region().replicaId();
      List<Mutations.Column> columns = new ArrayList<>();
      if (id == 0) {
        columns.add(regionInfo(set.region()));
      }
      columns.add(info(of(STATE, id), Bytes.utf8(set.state().name())));
      columns.add(info(of(STATE_SERVER, id), Bytes.utf8(set.server().toString())));
      return Mutations.put(row(set.region()), timestamp, columns.toArray(Mutations.Column[]::new));
    } else if (change instanceof CatalogChange.RegionOpened opened) {
      return Mutations.put(
          row(opened.region()),
          timestamp,
          columns(opened).stream()
              .map(column -> info(column.qualifier(), column.value()))
              .toArray(Mutations.Column[]::new));
    } else if (change instanceof CatalogChange.RegionUnreachable lost) {
      byte[] server = of(SERVER, lost.region().replicaId());
      return Mutations.put(row(lost.region()), timestamp, info(server, new byte[0]));
    } else if (change instanceof CatalogChange.RegionExpected expected) {
      return Mutations.put(
          row(expected.region()),
          timestamp,
          info(SERVER, Bytes.utf8(expected.next().hostAndPort())),
          info(START_CODE, Bytes.ofLong(expected.next().startCode())));
    } else if (change instanceof CatalogChange.AddParent add) {
      List<RegionInfo> heirs = add.heirs();
      return Mutations.put(
          add.parent().regionName(),
          timestamp,
          regionInfo(add.splitParent()),
          state(RegionState.State.SPLIT),
          info(SPLIT_LOWER, Messages.prefixed(Messages.message(heirs.get(0)))),
          info(SPLIT_UPPER, Messages.prefixed(Messages.message(heirs.get(heirs.size() - 1)))));
    } else if (change instanceof CatalogChange.RemoveRow remove) {
      return Mutations.deleteFamily(remove.row(), INFO, timestamp);
    } else if (change instanceof CatalogChange.RemoveRegion remove) {
      return Mutations.deleteFamily(remove.region().regionName(), INFO, timestamp);
    } else if (change instanceof CatalogChange.SetTableState set) {
      byte[] state =
          HBaseProtos.TableState.newBuilder().setState(set.state()).build().toByteArray();
      return Mutations.put(row(set.table()), timestamp, new Mutations.Column(TABLE, STATE, state));
    } else if (change instanceof CatalogChange.RemoveTable remove) {
      return Mutations.deleteFamily(row(remove.table()), TABLE, timestamp);
    }
    throw new IllegalArgumentException("No change of the catalog: " + change);
  }

  /**
   * Reads a row's cells as a region; empty if it has no {@code info:regioninfo} that can be read (a
   * table's row, or what a helper left there). A column that cannot be read counts as missing. An
   * open region that clients do not find at its server counts as opening: if that server lives
   * after all, it is asked to open the region, and the row is written again.
   */
  static Optional<RegionRow> region(List<CellProtos.Cell> row) {
    return description(row)
        .map(
            region ->
                new RegionRow(
                    region,
                    state(row, 0),
                    stateServer(row, 0).or(() -> openedAt(row, 0)),
                    openSequence(row, 0).orElse(-1L),
                    mergeParents(row),
                    replicas(row)));
  }

  private static RegionState.State state(List<CellProtos.Cell> row, int replica) {
    return stateOf(row, replica)
        .map(state -> isUnreachable(row, replica, state) ? RegionState.State.OPENING : state)
        .orElse(RegionState.State.OFFLINE);
  }

  /**
   * Tells whether clients find no server, or another server than the one that has the region open.
   */
  private static boolean isUnreachable(
      List<CellProtos.Cell> row, int replica, RegionState.State state) {
    if (state != RegionState.State.OPEN) {
      return false;
    }
    boolean isNone =
        value(row, INFO, of(SERVER, replica)).filter(server -> server.length == 0).isPresent();
    Optional<ServerName> clients = openedAt(row, replica);
    Optional<ServerName> owner = stateServer(row, replica);
    return isNone || clients.isPresent() && owner.isPresent() && !clients.equals(owner);
  }

  /** Returns the replicas that the row has columns of. */
  private static List<RegionRow.Replica> replicas(List<CellProtos.Cell> row) {
    TreeSet<Integer> ids = new TreeSet<>();
    for (CellProtos.Cell cell : row) {
      if (isEqual(cell.getFamily(), INFO)) {
        String qualifier = cell.getQualifier().toStringUtf8();
        for (byte[] column : List.of(STATE, STATE_SERVER, SERVER)) {
          String prefix = Bytes.utf8(column) + "_";
          if (qualifier.startsWith(prefix)) {
            replicaId(qualifier.substring(prefix.length())).ifPresent(ids::add);
          }
        }
      }
    }
    return ids.stream()
        .map(
            id ->
                new RegionRow.Replica(
                    id,
                    state(row, id),
                    stateServer(row, id).or(() -> openedAt(row, id)),
                    openSequence(row, id).orElse(-1L)))
        .toList();
  }

  private static Optional<Integer> replicaId(String text) {
    return text.matches("[0-9A-F]{4}") && !text.equals("0000")
        ? Optional.of(Integer.parseInt(text, 16))
        : Optional.empty();
  }

  /** Returns the missing parts of a region's row; empty if the row is whole, or a table's. */
  static Optional<IncompleteRow> incomplete(List<CellProtos.Cell> row) {
    if (row.stream().noneMatch(cell -> isEqual(cell.getFamily(), INFO))) {
      return Optional.empty();
    }
    List<String> missing = new ArrayList<>();
    Optional<RegionRow> region = region(row);
    if (region.isEmpty()) {
      missing.add(name(REGION_INFO));
    } else if (!region.get().region().split()) {
      RegionState.State state = region.get().state();
      boolean open = state == RegionState.State.OPEN;
      boolean hosted =
          open || state == RegionState.State.OPENING || state == RegionState.State.CLOSING;
      addIf(stateOf(row, 0).isEmpty(), STATE, missing);
      addIf(hosted && stateServer(row, 0).isEmpty(), STATE_SERVER, missing);
      addIf(open && value(row, INFO, SERVER).isEmpty(), SERVER, missing);
      addIf(open && number(row, START_CODE).isEmpty(), START_CODE, missing);
      addIf(open && openSequence(row, 0).isEmpty(), OPEN_SEQUENCE, missing);
    }
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(new IncompleteRow(row.get(0).getRow().toByteArray(), region, missing));
  }

  private static void addIf(boolean isMissing, byte[] qualifier, List<String> missing) {
    if (isMissing) {
      missing.add(name(qualifier));
    }
  }

  private static String name(byte[] qualifier) {
    return "info:" + Bytes.utf8(qualifier);
  }

  /** Reads a row's cells as a table's state; empty if it is a region's row, or unreadable. */
  static Optional<HBaseProtos.TableState.State> tableState(List<CellProtos.Cell> row) {
    return value(row, TABLE, STATE)
        .flatMap(
            bytes -> {
              try {
                return Optional.of(HBaseProtos.TableState.parseFrom(bytes).getState());
              } catch (IOException e) {
                return unreadable(row, "table:state", e);
              }
            });
  }

  private static <T> Optional<T> unreadable(
      List<CellProtos.Cell> row, String column, Exception cause) {
    LOG.warn(
        "{} of the row {} of hbase:meta cannot be read and is treated as missing: {}",
        column,
        Bytes.toStringBinary(row.get(0).getRow().toByteArray()),
        cause.getMessage());
    return Optional.empty();
  }

  private static Optional<RegionInfo> description(List<CellProtos.Cell> row) {
    return value(row, INFO, REGION_INFO)
        .flatMap(bytes -> regionInfo(row, name(REGION_INFO), bytes));
  }

  private static Optional<RegionInfo> regionInfo(
      List<CellProtos.Cell> row, String column, byte[] bytes) {
    try {
      return Optional.of(
          Messages.regionInfo(
              HBaseProtos.RegionInfo.parseFrom(Messages.unprefixed(bytes, column))));
    } catch (IOException | IllegalArgumentException e) {
      return unreadable(row, column, e);
    }
  }

  private static Optional<RegionState.State> stateOf(List<CellProtos.Cell> row, int replica) {
    byte[] column = of(STATE, replica);
    return value(row, INFO, column)
        .flatMap(
            bytes -> {
              try {
                return Optional.of(RegionState.State.valueOf(Bytes.utf8(bytes)));
              } catch (IllegalArgumentException e) {
                return unreadable(row, name(column), e);
              }
            });
  }

  private static Optional<ServerName> stateServer(List<CellProtos.Cell> row, int replica) {
    byte[] column = of(STATE_SERVER, replica);
    return value(row, INFO, column)
        .flatMap(
            bytes -> {
              try {
                return Optional.of(ServerName.parse(Bytes.utf8(bytes)));
              } catch (IllegalArgumentException e) {
                return unreadable(row, name(column), e);
              }
            });
  }

  private static Optional<Long> openSequence(List<CellProtos.Cell> row, int replica) {
    return number(row, of(OPEN_SEQUENCE, replica));
  }

  private static Optional<Long> number(List<CellProtos.Cell> row, byte[] qualifier) {
    return value(row, INFO, qualifier)
        .filter(bytes -> bytes.length == Long.BYTES)
        .map(bytes -> Bytes.getLong(bytes, 0));
  }

  private static Optional<ServerName> openedAt(List<CellProtos.Cell> row, int replica) {
    Optional<byte[]> server = value(row, INFO, of(SERVER, replica));
    Optional<Long> startCode = number(row, of(START_CODE, replica));
    if (server.isEmpty() || startCode.isEmpty()) {
      return Optional.empty();
    }
    String[] parts = Bytes.utf8(server.get()).split(":");
    try {
      return parts.length != 2
          ? Optional.empty()
          : Optional.of(new ServerName(parts[0], Integer.parseInt(parts[1]), startCode.get()));
    } catch (IllegalArgumentException e) {
      return unreadable(row, name(SERVER), e);
    }
  }

  private static Optional<byte[]> value(
      List<CellProtos.Cell> row, byte[] family, byte[] qualifier) {
    // The newest version comes first.
    for (CellProtos.Cell cell : row) {
      if (isEqual(cell.getQualifier(), qualifier) && isEqual(cell.getFamily(), family)) {
        return Optional.of(cell.getValue().toByteArray());
      }
    }
    return Optional.empty();
  }

  private static boolean isEqual(ByteString text, byte[] bytes) {
    if (text.size() != bytes.length) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      if (text.byteAt(i) != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  static byte[] row(TableName table) {
    return Bytes.utf8(table.toString());
  }

  private static MutationProto add(
      RegionInfo region, Optional<ServerName> opening, long timestamp) {
    return Mutations.put(
        region.regionName(),
        timestamp,
        newRegion(region, opening).toArray(Mutations.Column[]::new));
  }

  private static List<Mutations.Column> newRegion(RegionInfo region, Optional<ServerName> opening) {
    List<Mutations.Column> columns = new ArrayList<>();
    columns.add(regionInfo(region));
    columns.add(state(opening.isPresent() ? RegionState.State.OPENING : RegionState.State.CLOSED));
    opening.ifPresent(server -> columns.add(info(STATE_SERVER, Bytes.utf8(server.toString()))));
    return columns;
  }

  private static byte[] mergeColumn(int index) {
    return Bytes.utf8("%s%04d".formatted(MERGE_PREFIX, index));
  }

  /** Returns the regions from which the row's region was merged, and whose files it may need. */
  private static List<RegionInfo> mergeParents(List<CellProtos.Cell> row) {
    List<RegionInfo> parents = new ArrayList<>();
    for (CellProtos.Cell cell : row) {
      String qualifier = cell.getQualifier().toStringUtf8();
      if (isEqual(cell.getFamily(), INFO) && qualifier.startsWith(MERGE_PREFIX)) {
        regionInfo(row, "info:" + qualifier, cell.getValue().toByteArray()).ifPresent(parents::add);
      }
    }
    return parents;
  }

  private static Mutations.Column regionInfo(RegionInfo region) {
    return info(REGION_INFO, Messages.prefixed(Messages.message(region)));
  }

  private static Mutations.Column state(RegionState.State state) {
    return info(STATE, Bytes.utf8(state.name()));
  }

  private static Mutations.Column info(byte[] qualifier, byte[] value) {
    return new Mutations.Column(INFO, qualifier, value);
  }
}
