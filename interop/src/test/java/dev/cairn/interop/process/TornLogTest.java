package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Effort;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A log that lost its end, as by a power cut under {@code hbase.wal.hsync=false}: the server
 * recovers it to the last whole entry, says so, and serves.
 */
@Tag("forms")
class TornLogTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] F = {'f'};
  private static final int ROWS = 20;

  @TempDir private Path directory;
  private ServerProcess server;

  @BeforeEach
  void startServer() throws Exception {
    server = new ServerProcess(directory).start();
  }

  @AfterEach
  void endServer() throws Exception {
    server.close();
  }

  @Test
  void recoversToTheLastWholeEntryAndSaysSo() throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(server.patientClient());
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
      int before = 0;
      for (Damage damage : Effort.isLong() ? Damage.values() : Damage.OF_EACH_KIND) {
        for (int row = 0; row < ROWS; row++) {
          table.put(new Put(Bytes.toBytes(key(before + row))).addColumn(F, F, new byte[200]));
        }
        server.kill();
        damage.apply(newestLog());
        server.start();

        List<String> rows = rows(table);
        // What is left is a beginning of what was written, and not a row less than it could be.
        assertThat(rows).hasSize(before + ROWS - damage.rowsLost);
        for (int i = 0; i < rows.size(); i++) {
          assertThat(rows.get(i)).isEqualTo(key(i));
        }
        assertThat(server.output().lines().filter(line -> line.contains("WALs/")))
            .as(damage.toString())
            .anyMatch(line -> line.contains(damage.told));
        before = rows.size();
      }
    }
  }

  /** What happens to a log. Its last entries are rows of a bit more than 200 bytes each. */
  private enum Damage {
    ONE_BYTE_SHORT("torn", 1) {
      @Override
      void apply(RandomAccessFile log) throws IOException {
        log.setLength(log.length() - 1);
      }
    },
    HALF_AN_ENTRY_SHORT("torn", 1) {
      @Override
      void apply(RandomAccessFile log) throws IOException {
        log.setLength(log.length() - 100);
      }
    },
    ZEROS_BEHIND("zero", 0) {
      @Override
      void apply(RandomAccessFile log) throws IOException {
        log.setLength(log.length() + 4096);
      }
    },
    GARBAGE_BEHIND("torn", 0) {
      @Override
      void apply(RandomAccessFile log) throws IOException {
        log.seek(log.length());
        log.write(new byte[] {-1, 17, 3, 8, 99, -100, 1});
      }
    };

    private static final Damage[] OF_EACH_KIND = {
      HALF_AN_ENTRY_SHORT, ZEROS_BEHIND, GARBAGE_BEHIND
    };

    private final String told;
    private final int rowsLost;

    Damage(String told, int rowsLost) {
      this.told = told;
      this.rowsLost = rowsLost;
    }

    abstract void apply(RandomAccessFile log) throws IOException;

    void apply(Path log) throws IOException {
      try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
        apply(file);
      }
    }
  }

  private static String key(int row) {
    return "row-%04d".formatted(row);
  }

  private static List<String> rows(Table table) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner results = table.getScanner(new Scan())) {
      for (Result result : results) {
        rows.add(Bytes.toString(result.getRow()));
      }
    }
    return rows;
  }

  private Path newestLog() throws IOException {
    try (Stream<Path> files = Files.walk(server.dataFolder().resolve("WALs"))) {
      List<Path> logs =
          files
              .filter(Files::isRegularFile)
              .filter(file -> !file.toString().endsWith(".meta"))
              .toList();
      assertThat(logs).hasSize(1);
      return logs.get(0);
    }
  }
}
