package dev.cairn.coprocessor.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * A scanner that a hook puts in the place of the region's, and that passes its rows on, answers
 * random scans as a table without hooks does, under all limits.
 */
class ForeignScanTest {
  private static final TableName HOOKED = TableName.valueOf("hooked");
  private static final TableName PLAIN = TableName.valueOf("plain");
  private static final int SCANS = 120;

  private final long seed = Long.getLong("cairn.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private static byte[] family(int i) {
    return Bytes.toBytes(i == 0 ? "f" : "g");
  }

  private static byte[] qualifier(int i) {
    return Bytes.toBytes("q" + i);
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("r%02d", i));
  }

  @Test
  void answersAreThoseOfTheRegion() throws Exception {
    try (CairnServer server = CairnServer.start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      create(admin, HOOKED, true);
      create(admin, PLAIN, false);
      try (Table hooked = connection.getTable(HOOKED);
          Table plain = connection.getTable(PLAIN)) {
        fill(admin, List.of(hooked, plain));
        for (int i = 0; i < SCANS; i++) {
          Scan scan = scan();
          List<String> expected = cells(plain, scan);
          if (scan.getFilter() == null
              && !scan.isRaw()
              && scan.getBatch() <= 0
              && scan.getMaxResultsPerColumnFamily() < 0) {
            Scan asked = new Scan(scan).setAttribute("probe", Bytes.toBytes("drop"));
            Scan filtered =
                new Scan(scan)
                    .setFilter(
                        new FamilyFilter(CompareOperator.EQUAL, new BinaryComparator(family(0))));
            assertThat(cells(hooked, asked))
                .as("seed %s, scan %s, drop, %s", seed, i, scan)
                .isEqualTo(cells(plain, filtered));
          }
          // A scanner that ignores limits cannot tell parts of rows from rows.
          List<String> probes =
              scan.getBatch() > 0 ? List.of("", "wrap") : List.of("", "wrap", "ignore");
          for (String probe : probes) {
            Scan asked = new Scan(scan).setAttribute("probe", Bytes.toBytes(probe));
            assertThat(cells(hooked, asked))
                .as("seed %s, scan %s, %s, %s", seed, i, probe, scan)
                .isEqualTo(expected);
          }
        }
      }
    }
  }

  private static void create(Admin admin, TableName name, boolean hooked) throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    for (int i = 0; i < 2; i++) {
      ColumnFamilyDescriptor family =
          ColumnFamilyDescriptorBuilder.newBuilder(family(i)).setMaxVersions(3).build();
      table.setColumnFamily(family);
    }
    if (hooked) {
      table.setCoprocessor(ReadProbe.class.getName());
    }
    admin.createTable(table.build(), new byte[][] {row(15)});
  }

  /** Fills a part of the tables' cells into files. */
  private void fill(Admin admin, List<Table> tables) throws Exception {
    for (int part = 0; part < 2; part++) {
      List<Row> changes = new ArrayList<>();
      for (int i = 0; i < 150; i++) {
        byte[] row = row(random.nextInt(30));
        byte[] family = family(random.nextInt(2));
        byte[] qualifier = qualifier(random.nextInt(5));
        long time = 1 + random.nextInt(5);
        changes.add(
            random.nextInt(8) == 0
                ? new Delete(row).addColumns(family, qualifier, time)
                : new Put(row).addColumn(family, qualifier, time, new byte[random.nextInt(40)]));
      }
      for (Table table : tables) {
        table.batch(changes, new Object[changes.size()]);
        if (part == 0) {
          admin.flush(table.getName());
        }
      }
    }
  }

  private Scan scan() throws IOException {
    Scan scan = new Scan().setCaching(1 + random.nextInt(5)).readVersions(1 + random.nextInt(3));
    if (random.nextInt(2) == 0) {
      scan.withStartRow(row(random.nextInt(30)), random.nextBoolean());
    }
    boolean reversed = random.nextInt(3) == 0;
    scan.setReversed(reversed);
    if (random.nextInt(3) == 0) {
      scan.withStopRow(row(reversed ? random.nextInt(5) : 25 + random.nextInt(5)), true);
    }
    if (random.nextInt(3) == 0) {
      scan.addFamily(family(random.nextInt(2)));
    }
    if (random.nextInt(3) == 0) {
      scan.setMaxResultSize(1 + random.nextInt(300));
    }
    if (random.nextInt(3) == 0) {
      scan.setAllowPartialResults(true);
    }
    if (random.nextInt(4) == 0) {
      scan.setLimit(1 + random.nextInt(20));
    }
    if (random.nextInt(6) == 0) {
      scan.setRaw(true);
    }
    if (random.nextInt(6) == 0) {
      scan.setMaxResultsPerColumnFamily(1 + random.nextInt(3));
    }
    filter(scan);
    return scan;
  }

  private void filter(Scan scan) {
    Filter filter =
        switch (random.nextInt(8)) {
          case 0 -> new PageFilter(1 + random.nextInt(8));
          case 1 -> new FirstKeyOnlyFilter();
          case 2 ->
              new QualifierFilter(
                  CompareOperator.GREATER_OR_EQUAL,
                  new BinaryComparator(qualifier(random.nextInt(6))));
          case 3 -> new ColumnPaginationFilter(2, random.nextInt(3));
          case 4 ->
              new SingleColumnValueFilter(
                  family(0), qualifier(1), CompareOperator.GREATER, new byte[10]);
          case 5 ->
              new WhileMatchFilter(
                  new QualifierFilter(
                      CompareOperator.NOT_EQUAL,
                      new BinaryComparator(qualifier(random.nextInt(5)))));
          default -> null;
        };
    if (filter != null) {
      scan.setFilter(filter);
    }
    if ((filter == null || !filter.hasFilterRow()) && random.nextInt(3) == 0) {
      // With batches, the client counts rows by the responses that they come in.
      scan.setBatch(1 + random.nextInt(4)).setLimit(-1);
    }
  }

  private static List<String> cells(Table table, Scan scan) throws IOException {
    List<String> cells = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        for (Cell cell : result.rawCells()) {
          cells.add(cell + "=" + Bytes.toStringBinary(CellUtil.cloneValue(cell)));
        }
      }
    }
    return cells;
  }
}
