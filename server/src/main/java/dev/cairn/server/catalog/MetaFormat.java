package dev.cairn.server.catalog;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/**
 * The rows and columns of {@code hbase:meta} as HBase 2.6 writes and reads them.
 *
 * <pre>
 *   row: a region's name            info:regioninfo           PBUF, RegionInfo message
 *                                   info:state                the state's name, for example OPEN
 *                                   info:sn                   host,port,startcode that the state refers to
 *                                   info:server               host:port where it was opened last
 *                                   info:serverstartcode      that server's start code, 8 bytes
 *                                   info:seqnumDuringOpen     its sequence number then, 8 bytes
 *   row: a table's name             table:state               TableState message
 * </pre>
 *
 * Source: the reference guide's chapter on catalog tables, and the rows that HBase's own client
 * reads; region replicas have no columns here.
 */
public final class MetaFormat {
  static final byte[] INFO = Bytes.utf8("info");
  static final byte[] TABLE = Bytes.utf8("table");
  private static final byte[] REGION_INFO = Bytes.utf8("regioninfo");
  private static final byte[] STATE = Bytes.utf8("state");
  private static final byte[] STATE_SERVER = Bytes.utf8("sn");
  private static final byte[] SERVER = Bytes.utf8("server");
  private static final byte[] START_CODE = Bytes.utf8("serverstartcode");
  private static final byte[] OPEN_SEQUENCE = Bytes.utf8("seqnumDuringOpen");

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

  /** Returns the columns that say where a region is open. */
  public static List<InfoColumn> columns(CatalogChange.RegionOpened opened) {
    ServerName server = opened.server();
    return List.of(
        new InfoColumn(REGION_INFO, Messages.prefixed(Messages.message(opened.region()))),
        new InfoColumn(STATE, Bytes.utf8(RegionState.State.OPEN.name())),
        new InfoColumn(STATE_SERVER, Bytes.utf8(server.toString())),
        new InfoColumn(SERVER, Bytes.utf8(server.hostAndPort())),
        new InfoColumn(START_CODE, Bytes.ofLong(server.startCode())),
        new InfoColumn(OPEN_SEQUENCE, Bytes.ofLong(opened.openSequence())));
  }

  /** Returns the mutation that does {@code change} at {@code timestamp}. */
  static MutationProto mutation(CatalogChange change, long timestamp) {
    // One case per kind of change; Java 17 has no pattern switch.
    if (change instanceof CatalogChange.AddRegion add) {
      return Mutations.put(
          add.region().regionName(),
          timestamp,
          info(REGION_INFO, Messages.prefixed(Messages.message(add.region()))),
          info(STATE, Bytes.utf8(RegionState.State.CLOSED.name())));
    } else if (change instanceof CatalogChange.SetRegionState set) {
      return Mutations.put(
          set.region().regionName(),
          timestamp,
          info(REGION_INFO, Messages.prefixed(Messages.message(set.region()))),
          info(STATE, Bytes.utf8(set.state().name())),
          info(STATE_SERVER, Bytes.utf8(set.server().toString())));
    } else if (change instanceof CatalogChange.RegionOpened opened) {
      return Mutations.put(
          opened.region().regionName(),
          timestamp,
          columns(opened).stream()
              .map(column -> info(column.qualifier(), column.value()))
              .toArray(Mutations.Column[]::new));
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
   * Reads a row's cells as a region; empty if it has no {@code info:regioninfo} (a table's row, or
   * what a helper left there).
   *
   * @throws IOException naming the row, if a cell cannot be read
   */
  static Optional<RegionRow> region(List<CellProtos.Cell> row) throws IOException {
    Optional<byte[]> description = value(row, INFO, REGION_INFO);
    if (description.isEmpty()) {
      return Optional.empty();
    }
    String name = Bytes.toStringBinary(row.get(0).getRow().toByteArray());
    try {
      RegionInfo region =
          Messages.regionInfo(
              HBaseProtos.RegionInfo.parseFrom(
                  Messages.unprefixed(description.get(), "info:regioninfo of " + name)));
      RegionState.State state =
          value(row, INFO, STATE)
              .map(bytes -> RegionState.State.valueOf(Bytes.utf8(bytes)))
              .orElse(RegionState.State.OFFLINE);
      Optional<ServerName> server =
          value(row, INFO, STATE_SERVER).map(bytes -> ServerName.parse(Bytes.utf8(bytes)));
      long sequence =
          value(row, INFO, OPEN_SEQUENCE)
              .filter(bytes -> bytes.length == Long.BYTES)
              .map(bytes -> Bytes.getLong(bytes, 0))
              .orElse(-1L);
      return Optional.of(new RegionRow(region, state, server.or(() -> openedAt(row)), sequence));
    } catch (IllegalArgumentException e) {
      throw new IOException("Row " + name + " of hbase:meta: " + e.getMessage(), e);
    }
  }

  /** Reads a row's cells as a table's state; empty if it is a region's row. */
  static Optional<HBaseProtos.TableState.State> tableState(List<CellProtos.Cell> row)
      throws IOException {
    Optional<byte[]> state = value(row, TABLE, STATE);
    return state.isEmpty()
        ? Optional.empty()
        : Optional.of(HBaseProtos.TableState.parseFrom(state.get()).getState());
  }

  private static Optional<ServerName> openedAt(List<CellProtos.Cell> row) {
    Optional<byte[]> server = value(row, INFO, SERVER);
    Optional<byte[]> startCode =
        value(row, INFO, START_CODE).filter(bytes -> bytes.length == Long.BYTES);
    if (server.isEmpty() || startCode.isEmpty()) {
      return Optional.empty();
    }
    String[] parts = Bytes.utf8(server.get()).split(":");
    return parts.length != 2
        ? Optional.empty()
        : Optional.of(
            new ServerName(
                parts[0], Integer.parseInt(parts[1]), Bytes.getLong(startCode.get(), 0)));
  }

  private static Optional<byte[]> value(
      List<CellProtos.Cell> row, byte[] family, byte[] qualifier) {
    // The newest version comes first.
    return row.stream()
        .filter(cell -> Arrays.equals(cell.getFamily().toByteArray(), family))
        .filter(cell -> Arrays.equals(cell.getQualifier().toByteArray(), qualifier))
        .findFirst()
        .map(cell -> cell.getValue().toByteArray());
  }

  static byte[] row(TableName table) {
    return Bytes.utf8(table.toString());
  }

  private static Mutations.Column info(byte[] qualifier, byte[] value) {
    return new Mutations.Column(INFO, qualifier, value);
  }
}
