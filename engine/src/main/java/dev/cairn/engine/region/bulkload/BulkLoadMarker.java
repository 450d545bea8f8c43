package dev.cairn.engine.region.bulkload;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellParts;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.BulkLoadDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * The log's entry for a bulk load, as HBase writes it: one cell with the region's first row, the
 * column {@code METAFAMILY:HBASE::BULK_LOAD} and a {@code BulkLoadDescriptor} as its value.
 */
public final class BulkLoadMarker {
  private static final byte[] FAMILY = Bytes.utf8("METAFAMILY");
  private static final byte[] QUALIFIER = Bytes.utf8("HBASE::BULK_LOAD");
  private static final byte[] COLUMN = Bytes.concat(FAMILY, QUALIFIER);

  private BulkLoadMarker() {}

  /** Returns a descriptor without files. */
  public static BulkLoadDescriptor.Builder builder(RegionInfo region, long sequence) {
    TableName table = region.table();
    return BulkLoadDescriptor.newBuilder()
        .setTableName(
            HBaseProtos.TableName.newBuilder()
                .setNamespace(ByteString.copyFromUtf8(table.namespace()))
                .setQualifier(ByteString.copyFromUtf8(table.qualifier())))
        .setEncodedRegionName(ByteString.copyFromUtf8(region.encodedName()))
        .setBulkloadSeqNum(sequence);
  }

  /** Returns the cells of the entry. */
  public static CellBuffer of(RegionInfo region, BulkLoadDescriptor load, long nowMillis) {
    byte[] row = region.startKey().length == 0 ? new byte[1] : region.startKey();
    byte[] value = load.toByteArray();
    CellParts parts = new CellParts(Bytes.concat(Bytes.concat(row, COLUMN), value));
    parts.row(0, row.length);
    parts.family(row.length, FAMILY.length);
    parts.qualifier(row.length + FAMILY.length, QUALIFIER.length);
    parts.value(row.length + FAMILY.length + QUALIFIER.length, value.length);
    parts.version(nowMillis, CellType.PUT);
    CellBuffer cells = new CellBuffer();
    cells.add(parts);
    return cells;
  }
}
