package dev.cairn.interop.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes backups while clients write without pause. A restored table has all writes that were
 * acknowledged before the moment, and none that began after it.
 */
class BackupUnderWritesTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int CLIENTS = 2;
  private static final int ROWS = 20;

  @TempDir Path folder;

  /** A write of one client: the new value of a row. */
  private record Write(long beginMillis, long endMillis, String row, String value) {}

  /** Writes to rows of its own, one after the other, until it is stopped. */
  private static final class Client {
    private final String prefix;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<Write> writes = new ArrayList<>();

    Client(int number) {
      this.prefix = "client" + number + "-";
    }

    void run(BackupSite site) {
      Random random = new Random(prefix.hashCode());
      try (Table table = site.connection().getTable(TABLE)) {
        while (!stopped.get()) {
          String row = prefix + random.nextInt(ROWS);
          byte[] key = Bytes.toBytes(row);
          String value = "v" + writes.size();
          long begin = System.currentTimeMillis();
          table.put(new Put(key).addColumn(BackupSite.F, Q, Bytes.toBytes(value)));
          writes.add(new Write(begin, System.currentTimeMillis(), row, value));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Returns the contents that the rows may have at a moment. */
    List<Map<String, String>> possible(long moment) {
      List<Map<String, String>> all = new ArrayList<>();
      Map<String, String> rows = new TreeMap<>();
      for (Write write : writes) {
        if (write.endMillis() >= moment) {
          all.add(new TreeMap<>(rows));
        }
        if (write.beginMillis() > moment) {
          return all;
        }
        rows.put(write.row(), write.value());
      }
      all.add(rows);
      return all;
    }
  }

  private static Map<String, String> rows(BackupSite site, TableName name, String prefix)
      throws IOException {
    Map<String, String> rows = new TreeMap<>();
    try (Table table = site.connection().getTable(name);
        ResultScanner scanner =
            table.getScanner(new Scan().setStartStopRowForPrefixScan(Bytes.toBytes(prefix)))) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          rows.put(Bytes.toString(row.getRow()), Bytes.toString(CellUtil.cloneValue(cell)));
        }
      }
    }
    return rows;
  }

  @Test
  void aTableIsRestoredWithAllAcknowledgedWrites() throws Exception {
    List<Client> clients = new ArrayList<>();
    List<Long> moments = new ArrayList<>();
    try (BackupSite site = new BackupSite(folder, "data", folder.resolve("backups"));
        Admin admin = site.connection().getAdmin()) {
      site.createTable(TABLE, "client1");
      List<CompletableFuture<Void>> running = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Client client = new Client(i);
        clients.add(client);
        running.add(CompletableFuture.runAsync(() -> client.run(site)));
      }
      try {
        site.backUp(TABLE);
        moments.add(System.currentTimeMillis());
        admin.flush(TABLE);
        site.backUp(TABLE);
        moments.add(System.currentTimeMillis());
        site.backUp(TABLE, "--full");
        moments.add(System.currentTimeMillis());
        admin.majorCompact(TABLE);
        site.backUp(TABLE);
      } finally {
        clients.forEach(client -> client.stopped.set(true));
      }
      CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
      for (long moment : moments) {
        TableName restored = TableName.valueOf("at" + moment);
        site.succeed("restore", TABLE, "--to=" + moment, "--as=" + restored);
        for (Client client : clients) {
          assertThat(client.writes).hasSizeGreaterThan(ROWS);
          assertThat(client.possible(moment)).contains(rows(site, restored, client.prefix));
        }
      }
      site.backUp(TABLE);
      site.succeed("restore", TABLE, "--as=newest");
      assertThat(site.visible(TableName.valueOf("newest"))).isEqualTo(site.visible(TABLE));
    }
  }
}
