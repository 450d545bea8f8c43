package dev.cairn.studies.names;

import dev.cairn.keys.KeyFormat;
import dev.cairn.studies.NewTable;
import java.time.Instant;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The table of views, with a row for each.
 *
 * @param format of the keys, with the parts {@code page} and {@code time}
 * @param encoding of the blocks
 */
record ViewTable(KeyFormat format, DataBlockEncoding encoding) {
  static final TableName NAME = TableName.valueOf("views");
  static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] VISITOR = Bytes.toBytes("v");
  private static final String PAGE = "page";
  private static final String TIME = "time";

  static ViewTable of(String format, DataBlockEncoding encoding) {
    return new ViewTable(KeyFormat.parse(format), encoding);
  }

  NewTable table() {
    return new NewTable(
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                    .setDataBlockEncoding(encoding)
                    .build())
            .setValue(KeyFormat.TABLE_ATTRIBUTE, format.toString())
            .build());
  }

  /**
   * Returns the put of a view.
   *
   * @param page what the key has for the page
   */
  Put put(Object page, View view) {
    return new Put(format.encode(page, view.time()))
        .addColumn(FAMILY, VISITOR, Bytes.toBytes(view.visitor()));
  }

  /** Returns what a row's key has for the page. */
  Object page(Result row) {
    return format.decode(row.getRow()).get(PAGE);
  }

  View view(String page, Result row) {
    Instant time = format.decode(row.getRow()).getInstant(TIME);
    return new View(page, time, Bytes.toLong(row.getValue(FAMILY, VISITOR)));
  }
}
