package dev.cairn.launcher;

import dev.cairn.launcher.client.RunningServer;
import dev.cairn.launcher.folder.RootFolder;
import dev.cairn.launcher.shell.ShellStart;
import dev.cairn.server.config.FolderKeys;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.hadoop.HadoopStorage;
import dev.cairn.shell.ShellProgram;
import dev.cairn.shell.console.Console;
import java.io.ByteArrayInputStream;
import java.io.IOError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
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
import org.slf4j.helpers.NOP_FallbackServiceProvider;

/**
 * The clients of {@link WarmUpCommand}: Apache's client, {@code cairn status} and the shell use the
 * server, and HDFS's client looks for a NameNode. At the end they stop the server.
 */
final class WarmUpClients {
  /** Somebody waits for this: rather no recording than a long wait. */
  private static final int OPERATION_MILLIS = 30_000;

  private static final TableName TABLE = TableName.valueOf("warm");

  private final CairnCommand parent;
  private final Path site;

  /**
   * Creates the clients of a server of this machine that serves.
   *
   * @param site the folder with its settings
   */
  WarmUpClients(CairnCommand parent, Path site) {
    this.parent = parent;
    this.site = site;
  }

  void run() throws IOException {
    Configuration client = RunningServer.configuration(cairn(), Map.of());
    client.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3);
    client.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, OPERATION_MILLIS);
    client.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, OPERATION_MILLIS);
    try (Connection connection = ConnectionFactory.createConnection(client);
        Admin admin = connection.getAdmin()) {
      useTable(connection, admin);
      useCommands();
      useHdfs();
      admin.shutdown();
    }
  }

  /** Returns a command that knows nothing of what others have done. */
  private CairnCommand cairn() {
    return new CairnCommand(parent.database(), System.getProperties(), Map.of())
        .at(Optional.of(site));
  }

  private static void useTable(Connection connection, Admin admin) throws IOException {
    byte[] family = "f".getBytes(StandardCharsets.UTF_8);
    byte[] row = "row".getBytes(StandardCharsets.UTF_8);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
            .build());
    try (Table table = connection.getTable(TABLE)) {
      table.put(new Put(row).addColumn(family, row, row));
      table.get(new Get(row));
      try (ResultScanner rows = table.getScanner(new Scan())) {
        rows.next();
      }
      admin.flush(TABLE);
      table.get(new Get(row));
    }
  }

  /** Connects to an HDFS that does not exist, which loads most of its client. */
  private static void useHdfs() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    int unused;
    try (ServerSocket socket = new ServerSocket(0, 1, loopback)) {
      unused = socket.getLocalPort();
    }
    SiteConfig config =
        new SiteConfig(
            Map.of(
                FolderKeys.ROOT_DIR.name(),
                "hdfs://" + loopback.getHostAddress() + ":" + unused + "/hbase",
                "ipc.client.connect.max.retries",
                "0"));
    try {
      RootFolder.open(config, Optional.empty(), WarmUpClients::waitForNothing).close();
    } catch (IOException | CancellationException e) {
      // No NameNode answers.
    }
    HadoopStorage.load();
  }

  /** Receives the reason before an opening waits. */
  private static void waitForNothing(String notice) {
    throw new CancellationException(notice);
  }

  /** Runs commands, and the shell as {@code bin/cairn shell} does. */
  private void useCommands() {
    InputStream in = System.in;
    PrintStream out = System.out;
    PrintStream err = System.err;
    System.setIn(script("list\nscan 'warm', {LIMIT => 1}\nt = get_table 'warm'\nt.count\nexit\n"));
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    try {
      List<String> status = List.of(CairnCommand.CONFIG, site.toString(), "status");
      cairn().commandLine(status).execute(status.toArray(new String[0]));
      logNothing();
      cairn().shell(List.of("-n"));
      useConsole();
    } finally {
      System.setIn(in);
      System.setOut(out);
      System.setErr(err);
    }
  }

  /** Loads the classes that log nothing, which a shell has and this process has not. */
  private static void logNothing() {
    NOP_FallbackServiceProvider nothing = new NOP_FallbackServiceProvider();
    nothing.initialize();
    nothing.getLoggerFactory().getLogger("warm");
  }

  /** Runs the shell at a terminal and types into it. */
  private void useConsole() {
    Console.Opener terminal =
        () ->
            Console.virtualTerminal(
                script("list\nscan 'warm'\nexit\n"), OutputStream.nullOutputStream());
    Path history = site.resolveSibling("history");
    try {
      ShellStart.run(
          cairn(), List.of(), new ShellProgram.Terminals(Optional.of(terminal), true, history));
    } catch (IOException | IOError | RuntimeException e) {
      // A container may have no pseudo-terminals. Prompts then load some classes from jars.
    }
  }

  private static InputStream script(String statements) {
    return new ByteArrayInputStream(statements.getBytes(StandardCharsets.UTF_8));
  }
}
