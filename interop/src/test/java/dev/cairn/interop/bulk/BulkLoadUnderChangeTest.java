package dev.cairn.interop.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Effort;
import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Apache's tool loads files into a table that is split and written at the same time. */
@Tag("forms")
class BulkLoadUnderChangeTest {
  private static final TableName TABLE = TableName.valueOf("busy");
  private static final List<String> FAMILIES = List.of("f", "g");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] WRITTEN = Bytes.toBytes("written");
  private static final int ROWS = 300;
  private static final int SPLITS = Effort.rounds(2, 12);
  private static final int LOADS = Effort.rounds(3, 40);

  @TempDir Path folder;

  private static byte[] row(int number) {
    return Bytes.toBytes("r%03d".formatted(number));
  }

  @Test
  void everyLoadIsWholeAndNoWriteIsLost() throws Exception {
    try (CairnServer server = CairnServer.builder().folder(folder.resolve("data")).start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TABLE);
      FAMILIES.forEach(name -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(name)));
      admin.createTable(table.build());
      ExecutorService others = Executors.newFixedThreadPool(2);
      AtomicBoolean loading = new AtomicBoolean(true);
      try {
        Future<Integer> rounds = others.submit(() -> write(connection, loading));
        Future<?> splits = others.submit(() -> split(connection, admin));
        for (int load = 0; load < LOADS; load++) {
          load(connection, load);
          checkWhole(connection, load);
        }
        splits.get();
        loading.set(false);
        int last = rounds.get();
        assertThat(admin.getRegions(TABLE)).hasSize(SPLITS + 1);
        for (int load = 0; load < LOADS; load++) {
          checkWhole(connection, load);
        }
        checkWritten(connection, last);
      } finally {
        loading.set(false);
        others.shutdownNow();
        assertThat(others.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      }
    }
  }

  /** Loads a column of all rows, into both families. */
  private void load(Connection connection, int number) throws IOException {
    Path files = folder.resolve("load" + number);
    Configuration settings = connection.getConfiguration();
    for (String family : FAMILIES) {
      Path directory = Files.createDirectories(files.resolve(family));
      try (HFile.Writer writer =
          HFile.getWriterFactory(settings, new CacheConfig(settings))
              .withPath(
                  FileSystem.getLocal(settings),
                  new org.apache.hadoop.fs.Path(directory.resolve("1").toString()))
              .withFileContext(
                  new HFileContextBuilder().withColumnFamily(Bytes.toBytes(family)).build())
              .create()) {
        for (int i = 0; i < ROWS; i++) {
          writer.append(
              new KeyValue(row(i), Bytes.toBytes(family), column(number), 7, row(number)));
        }
      }
    }
    Eventually.holds(
        () -> isLoaded(settings, files), "the table is available while load " + number + " begins");
  }

  /** Runs the tool, which does nothing while a new half of a region is not open yet. */
  private static boolean isLoaded(Configuration settings, Path files) throws IOException {
    try {
      BulkLoadHFiles.create(settings).bulkLoad(TABLE, new org.apache.hadoop.fs.Path(files.toUri()));
      return true;
    } catch (TableNotFoundException e) {
      assertThat(e).hasMessageContaining("is not currently available");
      return false;
    }
  }

  private static byte[] column(int load) {
    return Bytes.toBytes("load" + load);
  }

  private static void checkWhole(Connection connection, int load) throws IOException {
    for (String family : FAMILIES) {
      List<String> found = new ArrayList<>();
      try (Table table = connection.getTable(TABLE);
          ResultScanner scan =
              table.getScanner(new Scan().addColumn(Bytes.toBytes(family), column(load)))) {
        for (Result row : scan) {
          assertThat(row.value()).isEqualTo(row(load));
          found.add(Bytes.toString(row.getRow()));
        }
      }
      assertThat(found).as("load %d of family %s", load, family).hasSize(ROWS).isSorted();
    }
  }

  /** Writes all rows again and again; returns the number in the last write of each row. */
  private static int write(Connection connection, AtomicBoolean goesOn) throws IOException {
    int round = 0;
    try (Table table = connection.getTable(TABLE)) {
      while (goesOn.get()) {
        round++;
        for (int i = 0; i < ROWS; i += 3) {
          table.put(new Put(row(i)).addColumn(F, WRITTEN, Bytes.toBytes(round)));
        }
      }
    }
    return round;
  }

  private static void checkWritten(Connection connection, int round) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (int i = 0; i < ROWS; i += 3) {
        assertThat(table.get(new Get(row(i)).addColumn(F, WRITTEN)).value())
            .isEqualTo(Bytes.toBytes(round));
      }
    }
  }

  private static void split(Connection connection, Admin admin) {
    for (int i = 1; i <= SPLITS; i++) {
      byte[] row = row(i * ROWS / (SPLITS + 1));
      Eventually.holds(
          () -> isSplit(connection, admin, row),
          "the region of " + Bytes.toString(row) + " splits");
    }
  }

  /** Splits a region, unless it still refers to the files of the region that it was made of. */
  private static boolean isSplit(Connection connection, Admin admin, byte[] row) throws Exception {
    try (RegionLocator locator = connection.getRegionLocator(TABLE)) {
      byte[] region = locator.getRegionLocation(row, true).getRegion().getRegionName();
      try {
        admin.splitRegionAsync(region, row).get(1, TimeUnit.MINUTES);
        return true;
      } catch (DoNotRetryIOException e) {
        assertThat(e).hasMessageContaining("compact it first");
        admin.compactRegion(region);
        return false;
      }
    }
  }
}
