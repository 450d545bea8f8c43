package dev.cairn.bench.limit;

import dev.cairn.bench.limit.LimitServer.Transport;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn bench limit}: runs the server with canned responses until it is told to end. */
@Command(
    name = "limit",
    description = {
      "Serves canned responses to HBase's client, until it is told to end: the limit of wire and client.",
      "Clients connect with hbase.client.registry.impl=org.apache.hadoop.hbase.client.RpcConnectionRegistry"
          + " and hbase.client.bootstrap.servers set to the address that it prints. Any table is there.",
      "While there are calls, it prints their number, and the processor time per call."
    })
public final class LimitCommand implements Callable<Integer> {
  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Listen on this port (default: any that is free).")
  private int port;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description =
          "The transport of its sockets: ${COMPLETION-CANDIDATES} (default: epoll if"
              + " available).")
  private Optional<Transport> transport = Optional.empty();

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "Network threads; a connection has one (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--family",
      paramLabel = "NAME",
      defaultValue = "f",
      description = "The family of all cells (default: ${DEFAULT-VALUE}).")
  private String family;

  @Option(
      names = "--fields",
      paramLabel = "N",
      defaultValue = "10",
      description = "Cells in a row (default: ${DEFAULT-VALUE}).")
  private int fields;

  @Option(
      names = "--value",
      paramLabel = "BYTES",
      defaultValue = "100",
      description = "Bytes of a cell's value (default: ${DEFAULT-VALUE}).")
  private int valueBytes;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1000000",
      description =
          "Number of rows that a scan of a whole table returns (default:" + " ${DEFAULT-VALUE}).")
  private long rows;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "Time between two lines (default: ${DEFAULT-VALUE}).")
  private int everySeconds;

  @Spec private CommandSpec spec;

  /** Runs the command alone, in a process of its own. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new LimitCommand()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (LimitServer server =
        new LimitServer(
            port,
            transport.orElseGet(Transport::best),
            threads,
            shape(),
            Executors.defaultThreadFactory())) {
      PrintWriter out = spec.commandLine().getOut();
      out.println(server.address());
      out.flush();
      CallCounts.Snapshot before = server.counts().snapshot();
      long cpuBefore = cpuNanos();
      long begun = System.nanoTime();
      while (true) {
        TimeUnit.SECONDS.sleep(everySeconds);
        CallCounts.Snapshot now = server.counts().snapshot();
        long cpu = cpuNanos();
        long end = System.nanoTime();
        if (now.calls() > before.calls()) {
          double seconds = (end - begun) / 1e9;
          double calls = now.calls() - before.calls();
          out.printf(
              "%.0f calls/s, %.0f rows/s, %.0f mutations/s, %.2f µs of processor time per call%n",
              calls / seconds,
              (now.rows() - before.rows()) / seconds,
              (now.mutations() - before.mutations()) / seconds,
              (cpu - cpuBefore) / 1e3 / calls);
          out.flush();
        }
        before = now;
        cpuBefore = cpu;
        begun = end;
      }
    }
  }

  private CannedRows.Shape shape() {
    if (threads < 1 || everySeconds < 1) {
      throw new ParameterException(spec.commandLine(), "--threads and --every must be at least 1");
    }
    try {
      return new CannedRows.Shape(family, fields, valueBytes, rows);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
        .getProcessCpuTime();
  }
}
