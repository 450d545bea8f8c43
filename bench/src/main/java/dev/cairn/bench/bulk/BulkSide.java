package dev.cairn.bench.bulk;

import dev.cairn.bench.compare.ServerProcess;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A server and a folder for the commands that are run on it. One thread. */
final class BulkSide implements Closeable {
  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String name;
  private final Path program;
  private final Path folder;
  private final ServerProcess server;
  private final Connection connection;

  /**
   * Connects to a server.
   *
   * @param program {@code bin/cairn}, which runs Apache's jobs, too
   * @param folder for files and output
   */
  BulkSide(String name, Path program, Path folder, ServerProcess server)
      throws IOException, InterruptedException {
    this.name = name;
    this.program = program;
    this.folder = folder;
    this.server = server;
    this.connection = server.connect();
  }

  /**
   * The cost of a task.
   *
   * @param seconds by the clock
   * @param cpuSeconds processor time of the command and of the server
   */
  record Cost(double seconds, double cpuSeconds) {}

  /** A task. */
  interface Task {
    /** Runs it, and returns the processor time of its own process, seconds. */
    double run() throws IOException, InterruptedException;
  }

  String name() {
    return name;
  }

  Path folder() {
    return folder;
  }

  /** Measures a task. */
  Cost measure(Task task) throws IOException, InterruptedException {
    double cpu = server.figures().cpuSeconds();
    long start = System.nanoTime();
    double own = task.run();
    double seconds = (System.nanoTime() - start) / NANOS;
    return new Cost(seconds, own + server.figures().cpuSeconds() - cpu);
  }

  /**
   * Runs a command of {@code bin/cairn}.
   *
   * @param arguments its name, such as {@code count} or {@code mapreduce export}, and its arguments
   *     after the options for the server's address
   * @return the processor time, seconds
   */
  double command(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    // Bash's `time` knows the processor time of all processes of the command.
    command.addAll(List.of("bash", "-c", "TIMEFORMAT='%U %S'; time \"$@\"", "bash"));
    command.add(program.toString());
    command.addAll(List.of(arguments[0].split(" ")));
    for (String key : List.of(HConstants.ZOOKEEPER_QUORUM, HConstants.ZOOKEEPER_CLIENT_PORT)) {
      command.add("-D" + key + "=" + connection.getConfiguration().get(key));
    }
    command.addAll(List.of(arguments).subList(1, arguments.length));
    Path log = Files.createTempFile(folder, arguments[0].replace(' ', '-'), ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    Map<String, String> environment = builder.environment();
    environment.put("CAIRN_BUILT", "true");
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("HBASE_CONF_DIR", server.site().getParent().toString());
    Process process = builder.start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(name + ": " + String.join(" ", arguments) + " failed; see " + log);
      }
    } finally {
      process.destroy();
    }
    List<String> lines = Files.readAllLines(log);
    String[] times = lines.get(lines.size() - 1).split(" ");
    return Double.parseDouble(times[0]) + Double.parseDouble(times[1]);
  }

  void createTable(String table, byte[][] splits) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(LoadableFiles.FAMILY))
              .build(),
          splits);
    }
  }

  void dropTable(String table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.disableTable(TableName.valueOf(table));
      admin.deleteTable(TableName.valueOf(table));
    }
  }

  /** Creates a table of many regions, each with a store file. */
  void createWide(String table, int regions) throws IOException {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = Bytes.toBytes("%04d".formatted(i));
    }
    createTable(table, splits);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < regions; i++) {
      puts.add(
          new Put(Bytes.toBytes("%04d".formatted(i)))
              .addColumn(LoadableFiles.FAMILY, new byte[] {'q'}, new byte[1000]));
    }
    try (Table open = connection.getTable(TableName.valueOf(table));
        Admin admin = connection.getAdmin()) {
      open.put(puts);
      admin.flush(TableName.valueOf(table));
    }
  }

  /** Starts writers to a table that {@link #createWide} has made. */
  Writers write(String table, int regions) {
    return new Writers(connection, TableName.valueOf(table), regions);
  }

  void flush(String table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(TableName.valueOf(table));
    }
  }

  void snapshot(String snapshot, String table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.snapshot(snapshot, TableName.valueOf(table));
    }
  }

  void cloneSnapshot(String snapshot, String table) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.cloneSnapshot(snapshot, TableName.valueOf(table));
    }
  }

  /** Returns the bytes of all store files, archived ones included. */
  long storeBytes() throws IOException {
    long bytes = 0;
    for (String part : List.of("data/default", "archive/data/default")) {
      Path directory = server.dataFolder().orElseThrow().resolve(part);
      if (Files.isDirectory(directory)) {
        try (Stream<Path> files = Files.walk(directory)) {
          for (Path file : files.filter(BulkSide::isStoreFile).toList()) {
            bytes += Files.size(file);
          }
        }
      }
    }
    return bytes;
  }

  private static boolean isStoreFile(Path file) {
    return Files.isRegularFile(file)
        && file.getParent().getFileName().toString().equals(Bytes.toString(LoadableFiles.FAMILY))
        && !file.getFileName().toString().startsWith(".");
  }

  @Override
  public void close() throws IOException {
    try {
      connection.close();
    } finally {
      server.close();
    }
  }
}
