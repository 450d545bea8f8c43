package dev.cairn.launcher;

import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/**
 * {@code cairn warm-up}: runs a server with a client in this process, in a folder of its own, and
 * ends. {@code bin/cairn} lets Java record the classes that this loads (class data sharing), so
 * that later processes start from the recording.
 */
@Command(
    name = "warm-up",
    hidden = true,
    description = "Runs a server and a client once, for Java to record their classes.")
final class WarmUpCommand implements Callable<Integer> {
  private static final List<String> PORTS =
      List.of(
          "hbase.master.port",
          "hbase.master.info.port",
          "hbase.regionserver.port",
          "hbase.regionserver.info.port",
          "hbase.zookeeper.property.clientPort");

  private static final List<String> BIND_ADDRESSES =
      List.of(
          "hbase.master.ipc.address",
          "hbase.master.info.bindAddress",
          "hbase.regionserver.ipc.address",
          "hbase.zookeeper.property.clientPortAddress");

  private static final String LOOPBACK = "127.0.0.1";
  private static final int START_MILLIS = 20_000;

  /** Somebody waits for this: rather no recording than a long wait. */
  private static final int OPERATION_MILLIS = 10_000;

  @ParentCommand private CairnCommand cairn;

  @Override
  public Integer call() throws IOException, InterruptedException {
    cairn.logErrorsOnly();
    Path parent =
        cairn
            .installation()
            .home()
            .map(home -> home.resolve("launcher").resolve("target"))
            .orElseThrow(() -> new LauncherException("only bin/cairn can warm up"));
    Path folder = Files.createTempDirectory(parent, "warm-up");
    try {
      run(folder);
    } finally {
      delete(folder);
    }
    return 0;
  }

  private void run(Path folder) throws IOException, InterruptedException {
    Map<String, String> texts =
        PORTS.stream()
            .collect(Collectors.toMap(name -> name, name -> "0", (a, b) -> a, TreeMap::new));
    texts.put(DataFolder.ROOT_DIR.name(), folder.toString());
    texts.put("cairn.hostname", LOOPBACK);
    BIND_ADDRESSES.forEach(name -> texts.put(name, LOOPBACK));
    texts.put("cairn.start.timeout", Integer.toString(START_MILLIS));
    try (DataFolder.Claim claim = new DataFolder(folder).claim();
        Database.Running server = cairn.database().start(new SiteConfig(texts), claim.storage())) {
      claim.publish(
          new ServerStatus(
              ProcessIdentity.of(ProcessHandle.current()),
              System.currentTimeMillis(),
              server.addresses()));
      Configuration client = ClientConfiguration.of(texts, server.addresses());
      client.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3);
      client.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, OPERATION_MILLIS);
      client.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, OPERATION_MILLIS);
      useOnce(client);
    }
  }

  private static void useOnce(Configuration client) throws IOException {
    TableName name = TableName.valueOf("warm");
    byte[] family = "f".getBytes(StandardCharsets.UTF_8);
    byte[] row = "row".getBytes(StandardCharsets.UTF_8);
    try (Connection connection = ConnectionFactory.createConnection(client);
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
              .build());
      table.put(new Put(row).addColumn(family, row, row));
      table.get(new Get(row));
      try (ResultScanner rows = table.getScanner(new Scan())) {
        rows.next();
      }
      admin.flush(name);
      table.get(new Get(row));
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
