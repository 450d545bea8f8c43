package dev.cairn.coprocessor.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A hook goes on reading with the region's scanner after the client's scan has ended. */
class LateScanTest {
  private static final byte[] F = Bytes.toBytes("f");

  private static final Queue<RegionScanner> KEPT = new ConcurrentLinkedQueue<>();

  /** Keeps the region's scanner, and answers without rows. */
  public static class Keeper implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public RegionScanner postScannerOpen(
        ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner)
        throws IOException {
      KEPT.add(scanner);
      return (RegionScanner)
          Proxy.newProxyInstance(
              Keeper.class.getClassLoader(),
              new Class<?>[] {RegionScanner.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "close" -> null;
                    case "next", "nextRaw" -> false;
                    default -> method.invoke(scanner, arguments);
                  });
    }
  }

  @Test
  void theScannerIsTheHooksUntilItsRegionCloses() throws Exception {
    TableName name = TableName.valueOf("late");
    try (CairnServer server = CairnServer.start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setCoprocessor(Keeper.class.getName())
              .build());
      for (int i = 0; i < 10; i++) {
        table.put(new Put(Bytes.toBytes("r" + i)).addColumn(F, F, F));
      }
      for (int i = 0; i < 2; i++) {
        try (ResultScanner scanner = table.getScanner(new Scan())) {
          assertThat(scanner).isEmpty();
        }
      }
      RegionScanner first = KEPT.remove();
      assertThat(rows(first)).isEqualTo(10);
      first.close();
      RegionScanner second = KEPT.remove();
      List<Cell> cells = new ArrayList<>();
      assertThat(second.next(cells)).isTrue();
      admin.disableTable(name);
      assertThatThrownBy(() -> rows(second)).hasMessageContaining("is clos");
    }
  }

  private static int rows(RegionScanner scanner) throws IOException {
    int rows = 0;
    List<Cell> cells = new ArrayList<>();
    boolean more = true;
    while (more) {
      cells.clear();
      more = scanner.next(cells);
      rows += cells.isEmpty() ? 0 : 1;
    }
    return rows;
  }
}
