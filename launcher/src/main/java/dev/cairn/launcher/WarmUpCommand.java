package dev.cairn.launcher;

import dev.cairn.server.config.FolderKeys;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.config.SiteConfigLoader;
import dev.cairn.server.hadoop.HadoopStorage;
import dev.cairn.shell.ShellProgram;
import dev.cairn.shell.console.Console;
import java.io.ByteArrayInputStream;
import java.io.IOError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
import org.slf4j.helpers.NOP_FallbackServiceProvider;
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
  private static final int START_MILLIS = 60_000;
  private static final int LOOK_MILLIS = 5;

  /** Somebody waits for this: rather no recording than a long wait. */
  private static final int OPERATION_MILLIS = 30_000;

  @ParentCommand private CairnCommand cairn;

  @Override
  public Integer call() throws IOException, InterruptedException {
    cairn.logAsConfigured(); // before anything else logs
    Path folder = Files.createTempDirectory("cairn-warm-up");
    try {
      return run(folder);
    } finally {
      delete(folder);
    }
  }

  /** Runs the very command that is to start quickly, and returns its exit status. */
  private int run(Path folder) throws IOException, InterruptedException {
    Path data = folder.resolve("data");
    Map<String, String> texts = settings(data);
    Path site = Files.createDirectory(folder.resolve("conf"));
    Files.writeString(site.resolve(SiteConfigLoader.FILE_NAME), xml(texts));
    CairnCommand server = new CairnCommand(cairn.database(), System.getProperties(), Map.of());
    CompletableFuture<Integer> ended = new CompletableFuture<>();
    Thread thread =
        new Thread(() -> ended.complete(server.standalone(Optional.of(site))), "warm-up");
    thread.setDaemon(true);
    thread.start();
    Configuration client = ClientConfiguration.of(texts, addresses(data, ended));
    client.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3);
    client.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, OPERATION_MILLIS);
    client.setInt(HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT, OPERATION_MILLIS);
    useAndStop(client, server, folder);
    try {
      return ended.get(START_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new LauncherException("the server did not stop", e);
    }
  }

  private static Map<String, String> settings(Path data) {
    Map<String, String> texts = new TreeMap<>();
    PORTS.forEach(name -> texts.put(name, "0"));
    BIND_ADDRESSES.forEach(name -> texts.put(name, LOOPBACK));
    texts.put(FolderKeys.ROOT_DIR.name(), data.toString());
    texts.put("cairn.hostname", LOOPBACK);
    texts.put("cairn.start.timeout", Integer.toString(START_MILLIS));
    return texts;
  }

  private static String xml(Map<String, String> texts) {
    Configuration configuration = new Configuration(false);
    texts.forEach(configuration::set);
    StringWriter xml = new StringWriter();
    try {
      configuration.writeXml(xml);
    } catch (IOException e) {
      throw new UncheckedIOException("Nothing fails in memory", e);
    }
    return xml.toString();
  }

  private static Addresses addresses(Path data, CompletableFuture<Integer> ended)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MILLIS);
    while (System.nanoTime() - end < 0 && !ended.isDone()) {
      Optional<ServerStatus> status = ServerStatus.read(data);
      if (status.isPresent()) {
        return status.get().addresses();
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // no file system tells
    }
    throw new LauncherException("the server did not start");
  }

  private static void useAndStop(Configuration client, CairnCommand cairn, Path folder)
      throws IOException {
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
      useShell(cairn, folder);
      useHdfs();
      admin.shutdown();
    }
  }

  /** Connects to an HDFS that does not exist, which loads most of its client. */
  private static void useHdfs() throws IOException {
    int unused;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(LOOPBACK))) {
      unused = socket.getLocalPort();
    }
    SiteConfig config =
        new SiteConfig(
            Map.of(
                FolderKeys.ROOT_DIR.name(),
                "hdfs://" + LOOPBACK + ":" + unused + "/hbase",
                "ipc.client.connect.max.retries",
                "0"));
    try {
      RootFolder.open(config, Optional.empty(), notice -> {}).close();
    } catch (IOException e) {
      // No NameNode answers.
    }
    HadoopStorage.load();
  }

  /** Runs the shell as {@code bin/cairn shell} does, with the classes that log nothing. */
  private static void useShell(CairnCommand cairn, Path folder) {
    InputStream in = System.in;
    PrintStream out = System.out;
    PrintStream err = System.err;
    System.setIn(script("list\nscan 'warm', {LIMIT => 1}\nt = get_table 'warm'\nt.count\nexit\n"));
    System.setOut(new PrintStream(OutputStream.nullOutputStream()));
    try {
      NOP_FallbackServiceProvider nothing = new NOP_FallbackServiceProvider();
      nothing.initialize();
      nothing.getLoggerFactory().getLogger("warm");
      cairn.shell(List.of("-n"));
      useConsole(cairn, folder.resolve("history"));
    } finally {
      System.setIn(in);
      System.setOut(out);
      System.setErr(err);
    }
  }

  /** Runs the shell at a terminal and types into it. */
  private static void useConsole(CairnCommand cairn, Path history) {
    Console.Opener terminal =
        () ->
            Console.virtualTerminal(
                script("list\nscan 'warm'\nexit\n"), OutputStream.nullOutputStream());
    try {
      ShellStart.run(
          cairn, List.of(), new ShellProgram.Terminals(Optional.of(terminal), true, history));
    } catch (IOException | IOError | RuntimeException e) {
      // A container may have no pseudo-terminals. Prompts then load some classes from jars.
    }
  }

  private static InputStream script(String statements) {
    return new ByteArrayInputStream(statements.getBytes(StandardCharsets.UTF_8));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
