package dev.cairn.bench.regions;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of {@code hbase:meta} about the regions of a table.
 *
 * @param regions the rows
 * @param open the open regions, by the address of their server
 * @param seconds how long the scan took
 */
record MetaScan(int regions, Map<String, Integer> open, double seconds) {
  private static final int CACHING = 1_000;
  private static final byte[] STATE = Bytes.toBytes("state");

  static MetaScan of(Connection connection, TableName table) throws IOException {
    long begun = System.nanoTime();
    int regions = 0;
    Map<String, Integer> open = new HashMap<>();
    Scan scan =
        new Scan()
            .addFamily(HConstants.CATALOG_FAMILY)
            .setStartStopRowForPrefixScan(Bytes.toBytes(table.getNameAsString() + ","))
            .setCaching(CACHING);
    try (Table meta = connection.getTable(TableName.META_TABLE_NAME);
        ResultScanner rows = meta.getScanner(scan)) {
      for (Result row : rows) {
        regions++;
        byte[] server = row.getValue(HConstants.CATALOG_FAMILY, HConstants.SERVER_QUALIFIER);
        byte[] state = row.getValue(HConstants.CATALOG_FAMILY, STATE);
        if (server != null && state != null && "OPEN".equals(text(state))) {
          open.merge(text(server), 1, Integer::sum);
        }
      }
    }
    return new MetaScan(regions, Map.copyOf(open), (System.nanoTime() - begun) / 1e9);
  }

  /** Returns how many regions are open at these servers. */
  int openAt(Set<String> servers) {
    return open.entrySet().stream()
        .filter(entry -> servers.contains(entry.getKey()))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
