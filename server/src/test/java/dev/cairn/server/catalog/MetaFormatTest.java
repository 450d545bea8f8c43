package dev.cairn.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.CatalogContents.IncompleteRow;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.junit.jupiter.api.Test;

/** Meta's rows, held against HBase's own classes. */
class MetaFormatTest {
  private static final TableName TABLE = TableName.parse("ns:orders");
  private static final RegionInfo REGION =
      new RegionInfo(TABLE, Bytes.utf8("b"), Bytes.utf8("m\0x"), 1_700_000_000_123L);
  private static final ServerName SERVER =
      new ServerName("host.example", 16020, 1_700_000_000_456L);
  private static final ServerName NEXT = new ServerName("next", 16020, 7);

  private static List<CellProtos.Cell> cells(CatalogChange change) {
    MutationProto mutation = MetaFormat.mutations(change, 42).get(0);
    List<CellProtos.Cell> cells = new ArrayList<>();
    for (MutationProto.ColumnValue family : mutation.getColumnValueList()) {
      for (MutationProto.ColumnValue.QualifierValue value : family.getQualifierValueList()) {
        cells.add(
            CellProtos.Cell.newBuilder()
                .setRow(mutation.getRow())
                .setFamily(family.getFamily())
                .setQualifier(value.getQualifier())
                .setTimestamp(value.getTimestamp())
                .setCellType(CellProtos.CellType.PUT)
                .setValue(value.getValue())
                .build());
      }
    }
    return cells;
  }

  private static Result result(CatalogChange change) {
    return result(cells(change));
  }

  private static Result result(List<CellProtos.Cell> row) {
    List<Cell> cells = new ArrayList<>();
    for (CellProtos.Cell cell : row) {
      cells.add(
          new KeyValue(
              cell.getRow().toByteArray(),
              cell.getFamily().toByteArray(),
              cell.getQualifier().toByteArray(),
              cell.getTimestamp(),
              cell.getValue().toByteArray()));
    }
    cells.sort(CellComparator.getInstance());
    return Result.create(cells);
  }

  @Test
  void hbaseReadsWhereARegionIsOpen() {
    Result row = result(new CatalogChange.RegionOpened(REGION, SERVER, 17));
    HRegionLocation location = MetaTableAccessor.getRegionLocations(row).getDefaultRegionLocation();
    assertThat(location.getServerName()).hasToString(SERVER.toString());
    assertThat(location.getSeqNum()).isEqualTo(17);
    assertThat(location.getRegion().getEncodedName()).isEqualTo(REGION.encodedName());
    assertThat(location.getRegion().getRegionName()).isEqualTo(REGION.regionName());
    assertThat(location.getRegion().getEndKey()).isEqualTo(REGION.endKey());
    assertThat(row.getRow()).isEqualTo(REGION.regionName());
  }

  @Test
  void hbaseFindsNoServerForAnUnreachableRegion() {
    assertThat(
            MetaTableAccessor.getRegionLocations(result(unreachable()))
                .getDefaultRegionLocation()
                .getServerName())
        .isNull();
  }

  /** Its server may live after all; then the row gets the server's address again. */
  @Test
  void anUnreachableRegionCountsAsOpeningAtItsServer() {
    assertThat(MetaFormat.region(unreachable()))
        .contains(
            new RegionRow(REGION, State.OPENING, Optional.of(SERVER), 17, List.of(), List.of()));
    assertThat(MetaFormat.incomplete(unreachable())).isEmpty();
  }

  @Test
  void aRegionThatIsExpectedElsewhereCountsAsOpeningAtItsServer() {
    assertThat(MetaFormat.region(expected()))
        .contains(
            new RegionRow(REGION, State.OPENING, Optional.of(SERVER), 17, List.of(), List.of()));
    assertThat(MetaFormat.incomplete(expected())).isEmpty();
  }

  @Test
  void hbaseFindsTheServerThatExpectsARegion() {
    assertThat(
            MetaTableAccessor.getRegionLocations(result(expected()))
                .getDefaultRegionLocation()
                .getServerName())
        .hasToString(NEXT.toString());
  }

  /** Returns the row of a region whose server has died, and which another one expects. */
  private static List<CellProtos.Cell> expected() {
    List<CellProtos.Cell> row = cells(new CatalogChange.RegionExpected(REGION, NEXT));
    var changed = row.stream().map(CellProtos.Cell::getQualifier).toList();
    cells(new CatalogChange.RegionOpened(REGION, SERVER, 17)).stream()
        .filter(cell -> !changed.contains(cell.getQualifier()))
        .forEach(row::add);
    return row;
  }

  /** Returns the row of an open region whose server has died. */
  private static List<CellProtos.Cell> unreachable() {
    List<CellProtos.Cell> row = cells(new CatalogChange.RegionUnreachable(REGION));
    cells(new CatalogChange.RegionOpened(REGION, SERVER, 17)).stream()
        .filter(cell -> !cell.getQualifier().equals(row.get(0).getQualifier()))
        .forEach(row::add);
    return row;
  }

  @Test
  void hbaseReadsATablesState() throws IOException {
    Result row =
        result(new CatalogChange.SetTableState(TABLE, HBaseProtos.TableState.State.DISABLING));
    TableState state = MetaTableAccessor.getTableState(row);
    assertThat(state.getState()).isEqualTo(TableState.State.DISABLING);
    assertThat(state.getTableName().getNameAsString()).isEqualTo("ns:orders");
  }

  @Test
  void aRegionsRowComesBackAsItWasWritten() throws IOException {
    assertThat(MetaFormat.region(cells(new CatalogChange.RegionOpened(REGION, SERVER, 17))))
        .contains(new RegionRow(REGION, State.OPEN, Optional.of(SERVER), 17, List.of(), List.of()));
    assertThat(MetaFormat.region(cells(new CatalogChange.AddRegion(REGION))))
        .contains(new RegionRow(REGION, State.CLOSED, Optional.empty(), -1, List.of(), List.of()));
    assertThat(
            MetaFormat.region(
                cells(new CatalogChange.SetRegionState(REGION, State.OPENING, SERVER))))
        .contains(
            new RegionRow(REGION, State.OPENING, Optional.of(SERVER), -1, List.of(), List.of()));
  }

  @Test
  void aColumnThatCannotBeReadCountsAsMissing() {
    CellProtos.Cell broken =
        cells(new CatalogChange.AddRegion(REGION)).get(0).toBuilder()
            .setValue(Messages.wrap(Bytes.utf8("nonsense")))
            .build();
    assertThat(MetaFormat.region(List.of(broken))).isEmpty();
    IncompleteRow row = MetaFormat.incomplete(List.of(broken)).orElseThrow();
    assertThat(row.row()).isEqualTo(REGION.regionName());
    assertThat(row.columns()).containsExactly("info:regioninfo");
  }

  @Test
  void aRowSaysWhichColumnsItLacks() {
    List<CellProtos.Cell> whole = cells(new CatalogChange.RegionOpened(REGION, SERVER, 17));
    assertThat(MetaFormat.incomplete(whole)).isEmpty();
    for (String column : List.of("state", "server", "serverstartcode", "seqnumDuringOpen")) {
      List<CellProtos.Cell> rest =
          whole.stream()
              .filter(cell -> !cell.getQualifier().toStringUtf8().equals(column))
              .toList();
      if (!column.equals("state")) {
        assertThat(MetaFormat.incomplete(rest).orElseThrow().columns())
            .containsExactly("info:" + column);
      } else {
        assertThat(MetaFormat.incomplete(rest).orElseThrow().columns()).contains("info:state");
      }
    }
    assertThat(MetaFormat.incomplete(cells(new CatalogChange.AddRegion(REGION)))).isEmpty();
  }

  @Test
  void hbaseReadsARegionInfoFile() throws Exception {
    byte[] file = RegionInfoFormat.toFile(REGION);
    org.apache.hadoop.hbase.client.RegionInfo read =
        org.apache.hadoop.hbase.client.RegionInfo.parseFrom(
            new DataInputStream(new ByteArrayInputStream(file)));
    assertThat(read.getRegionName()).isEqualTo(REGION.regionName());
    byte[] theirs = org.apache.hadoop.hbase.client.RegionInfo.toDelimitedByteArray(read);
    assertThat(RegionInfoFormat.fromFile(theirs)).isEqualTo(REGION);
    assertThat(RegionInfoFormat.fromFile(file)).isEqualTo(REGION);
  }

  @Test
  void messagesAreHBasesOwn() {
    assertThat(ProtobufUtil.toRegionInfo(Messages.message(REGION)).getRegionName())
        .isEqualTo(REGION.regionName());
    assertThat(ProtobufUtil.toServerName(SERVER.message())).hasToString(SERVER.toString());
    assertThat(Messages.regionInfo(Messages.message(REGION))).isEqualTo(REGION);
    assertThat(Messages.regionInfo(Messages.message(RegionInfo.META))).isEqualTo(RegionInfo.META);
    assertThat(ServerName.parse(SERVER.toString())).isEqualTo(SERVER);
  }

  @Test
  void hbaseReadsATableDescriptor() throws Exception {
    byte[] file = Messages.prefixed(MetaFormat.schema().message());
    TableDescriptor read = TableDescriptorBuilder.parseFrom(file);
    assertThat(read.isMetaTable()).isTrue();
    assertThat(read.getColumnFamilyNames()).hasSize(3);
    assertThat(read.getColumnFamily(Bytes.utf8("info")).getMaxVersions()).isEqualTo(3);
  }
}
