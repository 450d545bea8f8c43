package dev.cairn.studies.tsdb;

import dev.cairn.keys.KeyFormat;
import dev.cairn.studies.NewTable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/** The table of points. */
final class PointTable {
  static final TableName NAME = TableName.valueOf("points");
  static final byte[] FAMILY = Bytes.toBytes("t");

  private PointTable() {}

  /** How its blocks are written. */
  enum Blocks {
    /** As they are. */
    PLAIN(DataBlockEncoding.NONE, Compression.Algorithm.NONE),
    /** Each cell as its difference from the one before. */
    FAST_DIFF(DataBlockEncoding.FAST_DIFF, Compression.Algorithm.NONE),
    /** Compressed. */
    ZSTD(DataBlockEncoding.NONE, Compression.Algorithm.ZSTD),
    /** The differences, compressed. */
    FAST_DIFF_ZSTD(DataBlockEncoding.FAST_DIFF, Compression.Algorithm.ZSTD);

    private final DataBlockEncoding encoding;
    private final Compression.Algorithm compression;

    Blocks(DataBlockEncoding encoding, Compression.Algorithm compression) {
      this.encoding = encoding;
      this.compression = compression;
    }
  }

  static NewTable of(KeyFormat format, Blocks blocks) {
    return new NewTable(
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                    .setDataBlockEncoding(blocks.encoding)
                    .setCompressionType(blocks.compression)
                    .build())
            .setValue(KeyFormat.TABLE_ATTRIBUTE, format.toString())
            .build());
  }
}
