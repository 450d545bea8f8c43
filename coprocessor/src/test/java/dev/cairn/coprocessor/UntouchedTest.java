package dev.cairn.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server whose tables name only what is built in loads nothing of this module, of the library
 * that generates its classes, or of HBase's server.
 */
class UntouchedTest {
  private static final String BUILT_IN =
      "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";

  @TempDir private Path folder;

  @Test
  void nothingIsLoadedBeforeAClassIsNamed() throws Exception {
    assertThat(loaded()).isEmpty();
  }

  @Test
  void theTestSeesWhatAClassLoads() throws Exception {
    assertThat(loaded(Probe.class.getName()))
        .anyMatch(line -> line.contains("dev.cairn.coprocessor.ApacheHooks"))
        .anyMatch(line -> line.contains("hbase-server"))
        .anyMatch(line -> line.contains(" org.objectweb.asm."));
  }

  /** Runs a server in a JVM of its own, and returns the lines of its log of classes. */
  private List<String> loaded(String... more) throws Exception {
    Path log = folder.resolve("classes.log");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xlog:class+load:file=" + log,
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            UntouchedTest.class.getName());
    builder.command().addAll(List.of(more));
    Path output = folder.resolve("output.txt");
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .filter(
              line ->
                  line.contains("hbase-server")
                      || line.contains(" org.objectweb.asm.")
                      || line.contains(" dev.cairn.coprocessor.")
                          && !line.contains(UntouchedTest.class.getName()))
          .toList();
    }
  }

  /** Starts a server, and uses a table with the built-in coprocessor and those of the arguments. */
  public static void main(String[] classes) throws Exception {
    byte[] family = Bytes.toBytes("f");
    try (CairnServer server = CairnServer.start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      TableDescriptorBuilder table =
          TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
              .setCoprocessor(BUILT_IN);
      for (String name : classes) {
        table.setCoprocessor(name);
      }
      admin.createTable(table.build());
      try (Table puts = connection.getTable(TableName.valueOf("t"))) {
        puts.put(new Put(family).addColumn(family, family, family));
      }
      admin.flush(TableName.valueOf("t"));
    }
  }
}
