package dev.cairn.launcher.demo;

import dev.cairn.launcher.client.ClientConfiguration;
import dev.cairn.launcher.client.RunningServer;
import dev.cairn.launcher.control.ServerControl;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn demo}. */
@Command(
    name = "demo",
    description = {
      "Loads artifacts and the references between them into a table, the webtable of the Bigtable"
          + " paper, through Apache's HBase client, and asks questions about them.",
      "Uses the server that hbase-site.xml names. If none runs, it starts one and stops it at the"
          + " end; the table stays."
    },
    mixinStandardHelpOptions = true)
public final class DemoCommand implements Callable<Integer> {
  private static final Duration STOP_PATIENCE = Duration.ofMinutes(2);
  private static final int RETRIES = 7;
  private static final int OPERATION_MILLIS = 30_000;

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Load N artifacts only, evenly spread over all.")
  private Integer limit;

  @Option(
      names = "--table",
      paramLabel = "NAME",
      defaultValue = "webtable",
      description = "The table; replaced if it is an earlier demo's (default: ${DEFAULT-VALUE}).")
  private String tableName;

  @Option(
      names = "--regions",
      paramLabel = "N",
      defaultValue = "4",
      description = "Number of regions of the new table (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Option(names = "--keep", description = "Leave a server running that was started for this.")
  private boolean keep;

  @Override
  public Integer call() throws IOException {
    cairn.logNothing(); // The client logs each row that a lost server does not take.
    TableName name = checkedTable();
    PrintWriter out = spec.commandLine().getOut();
    Demo demo =
        new Demo(
            limit == null ? OptionalInt.empty() : OptionalInt.of(limit), cairn.terminal(), out);
    Server server = server(out);
    try {
      demo.run(impatient(server.configuration()), name, regions);
      return 0;
    } catch (RetriesExhaustedException | InterruptedIOException e) {
      throw new LauncherException("the server does not answer: " + Failures.reason(e), e);
    } finally {
      end(server, out);
    }
  }

  /** Lets the demo fail soon if the server is gone, instead of after 20 minutes. */
  private static Configuration impatient(Configuration client) {
    client.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, RETRIES);
    client.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, OPERATION_MILLIS);
    return client;
  }

  private TableName checkedTable() {
    if (regions < 1) {
      throw new LauncherException("--regions must be at least 1");
    }
    if (limit != null && limit < 1) {
      throw new LauncherException("--limit must be at least 1");
    }
    try {
      return TableName.valueOf(tableName);
    } catch (IllegalArgumentException e) {
      throw new LauncherException("--table: " + e.getMessage(), e);
    }
  }

  /**
   * The server that is asked.
   *
   * @param configuration how a client finds it
   * @param started its control, if it was started for this
   */
  private record Server(Configuration configuration, Optional<ServerControl> started) {}

  private Server server(PrintWriter out) throws IOException {
    Optional<RunningServer> running = RunningServer.find(cairn);
    if (running.isPresent()) {
      out.println("Using " + running.get().description() + ".");
      return new Server(running.get().configuration(), Optional.empty());
    }
    ServerControl control = ServerControl.of(cairn);
    try {
      ServerControl.Started started = control.start(out::println);
      out.printf(
          Locale.ROOT,
          "Started a server (process %d, %.2f s, data in %s).%n",
          started.pid(),
          started.startNanos() / 1e9,
          started.dataFolder());
      return new Server(
          ClientConfiguration.of(cairn.siteConfig().texts(), started.addresses()),
          Optional.of(control));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LauncherException("interrupted", e);
    }
  }

  private void end(Server server, PrintWriter out) {
    if (server.started().isEmpty()) {
      return;
    }
    if (keep) {
      out.println("The server goes on; bin/cairn stop ends it.");
      return;
    }
    try {
      server.started().get().stop(STOP_PATIENCE);
      out.println("Stopped the server; bin/cairn start starts it again, with the table.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LauncherException("interrupted; the server goes on stopping", e);
    }
    out.flush();
  }
}
