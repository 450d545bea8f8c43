import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Prints the figures of docs/PERFORMANCE.md on starting and idling. bench/start-figures runs it.
 *
 * <p>{@code process RUNS CAIRN...}: starts bin/cairn standalone on an empty folder and on free ports, again and again, and
 * prints the time from the start of the process until HBase's client has created a table, put a row and got it back, and the
 * processor time that the process took for that; then what memory and threads it has after idling. Several commands (of
 * several builds, or scripts that set options) are measured in turns.
 *
 * <p>{@code jvm RUNS}: the same for a CairnServer inside this JVM; its first figure is a fresh JVM's.
 */
public final class StartFigures {
  private static final byte[] F = "f".getBytes(StandardCharsets.UTF_8);
  private static final TableName TABLE = TableName.valueOf("first");
  private static final int IDLE_SECONDS = 20;

  private StartFigures() {}

  /** Runs one of the two measurements. */
  public static void main(String[] args) throws Exception {
    int runs = Integer.parseInt(args[1]);
    if (args[0].equals("process")) {
      process(Stream.of(args).skip(2).map(Path::of).toList(), runs);
    } else {
      jvm(runs);
    }
  }

  /** What was measured of one of the commands. */
  private record Figures(
      Path cairn, List<Long> answered, List<Long> cpu, List<Long> stopped, List<String> idle) {
    Figures(Path cairn) {
      this(cairn, new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    void print() {
      System.out.println(cairn);
      System.out.println("  first put and get answered  " + figures(answered) + " ms");
      System.out.println("  processor time until then   " + figures(cpu) + " ms");
      System.out.println("  stopped                     " + figures(stopped) + " ms");
      System.out.println("  idle for " + IDLE_SECONDS + " s: " + String.join("; ", idle));
    }
  }

  private static void process(List<Path> commands, int runs) throws Exception {
    List<Figures> all = commands.stream().map(Figures::new).toList();
    for (int run = -1; run < runs; run++) { // the first one, which may build, does not count
      for (Figures figures : all) {
        process(figures, run >= 0, run == runs - 1);
      }
    }
    all.forEach(Figures::print);
  }

  private static void process(Figures figures, boolean counts, boolean idles) throws Exception {
    Path folder = Files.createTempDirectory("cairn-start");
    int[] ports = freePorts();
    Path site = folder.resolve("conf");
    Files.createDirectories(site);
    Files.writeString(site.resolve("hbase-site.xml"), site(ports, folder.resolve("data")));
    long start = System.nanoTime();
    Process server =
        new ProcessBuilder(figures.cairn().toString(), "--config", site.toString(), "standalone")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    try {
      awaitPort(ports[0], server);
      useOnce(client(ports));
      if (counts) {
        figures.answered().add(millisSince(start));
        figures.cpu().add(server.info().totalCpuDuration().orElseThrow().toMillis());
      }
      if (idles) {
        TimeUnit.SECONDS.sleep(IDLE_SECONDS);
        figures.idle().add(memory(server.pid()));
      }
    } finally {
      long stop = System.nanoTime();
      server.destroy();
      server.waitFor();
      if (counts) {
        figures.stopped().add(millisSince(stop));
      }
      delete(folder);
    }
  }

  private static void jvm(int runs) throws Exception {
    List<Long> warm = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      long start = System.nanoTime();
      try (CairnServer server = CairnServer.start()) {
        useOnce(server.configuration());
        long millis = millisSince(start);
        if (run == 0) {
          System.out.println("in a fresh JVM              " + millis + " ms");
        } else {
          warm.add(millis);
        }
      }
    }
    if (!warm.isEmpty()) {
      System.out.println("in a warm JVM               " + figures(warm) + " ms");
    }
  }

  private static void useOnce(Configuration configuration) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
      table.put(new Put(F).addColumn(F, F, F));
      if (table.get(new Get(F)).isEmpty()) {
        throw new IllegalStateException("put, and not there");
      }
    }
  }

  private static Configuration client(int[] ports) {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.setInt("hbase.zookeeper.property.clientPort", ports[0]);
    configuration.setInt("hbase.client.pause", 20);
    return configuration;
  }

  private static String site(int[] ports, Path data) {
    return "<configuration>"
        + property("hbase.rootdir", data.toString())
        + property("cairn.hostname", "127.0.0.1")
        + property("hbase.zookeeper.property.clientPort", ports[0])
        + property("hbase.master.port", ports[1])
        + property("hbase.regionserver.port", ports[2])
        + property("hbase.master.info.port", ports[3])
        + property("hbase.regionserver.info.port", -1)
        + "</configuration>";
  }

  private static String property(String name, Object value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }

  private static int[] freePorts() throws IOException {
    int[] ports = new int[4];
    List<ServerSocket> sockets = new ArrayList<>();
    for (int i = 0; i < ports.length; i++) {
      sockets.add(new ServerSocket(0));
      ports[i] = sockets.get(i).getLocalPort();
    }
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    return ports;
  }

  private static void awaitPort(int port, Process server) throws IOException {
    while (true) {
      try (Socket socket = new Socket("127.0.0.1", port)) {
        return;
      } catch (IOException e) {
        if (!server.isAlive()) {
          throw new IOException("The server ended with status " + server.exitValue(), e);
        }
        LockSupport.parkNanos(2_000_000);
      }
    }
  }

  private static String memory(long pid) throws IOException {
    StringBuilder found = new StringBuilder();
    for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
      if (line.startsWith("VmRSS") || line.startsWith("Threads")) {
        found.append(line.replaceAll("\\s+", " ")).append("  ");
      }
    }
    return found.toString();
  }

  private static String figures(List<Long> millis) {
    Collections.sort(millis);
    return "median "
        + millis.get(millis.size() / 2)
        + ", from "
        + millis.get(0)
        + " to "
        + millis.get(millis.size() - 1);
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
