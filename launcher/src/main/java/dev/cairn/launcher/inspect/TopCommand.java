package dev.cairn.launcher.inspect;

import dev.cairn.launcher.client.RunningServer;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.tools.top.ClusterTraffic;
import dev.cairn.tools.top.ClusterTraffic.Sort;
import dev.cairn.tools.top.TopJson;
import dev.cairn.tools.top.TopReader;
import dev.cairn.tools.top.TopScreen;
import dev.cairn.tools.top.TopText;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn top}. */
@Command(
    name = "top",
    description = {
      "Shows where the traffic goes, live: servers, tables, regions, the hottest rows and prefixes,"
          + " and callers by user and host. Rates are per second, over the last 15 to 30 seconds;"
          + " they are estimates from samples of the calls.",
      "Asks the web pages of all region servers (hbase.regionserver.info.port; of a standalone"
          + " server, hbase.master.info.port), and changes nothing."
    },
    mixinStandardHelpOptions = true)
public final class TopCommand implements Callable<Integer> {
  private static final int RETRIES = 1;
  private static final int WIDTH = 200;

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Option(names = "--once", description = "Print the present traffic once and exit.")
  private boolean once;

  @Option(names = "--json", description = "Print the present traffic as one JSON object and exit.")
  private boolean json;

  @Option(
      names = "--sort",
      paramLabel = "BY",
      defaultValue = "requests",
      description = "One of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Sort sort;

  @Option(
      names = "--delay",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "The time between two readings (default: ${DEFAULT-VALUE}).")
  private int delay;

  @Override
  public Integer call() throws IOException {
    cairn.logErrorsOnly();
    Configuration configuration = RunningServer.configuration(cairn, Map.of());
    configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, RETRIES);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      TopReader reader = new TopReader(admin);
      if (once || json) {
        print(reader.read());
      } else {
        try (Terminal terminal = TerminalBuilder.builder().system(true).dumb(true).build()) {
          new TopScreen(terminal, reader::read, Duration.ofSeconds(Math.max(1, delay)), sort).run();
        }
      }
    }
    return 0;
  }

  private void print(ClusterTraffic traffic) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(TopJson.of(traffic));
    } else {
      TopText.lines(traffic, sort, WIDTH, Integer.MAX_VALUE).forEach(out::println);
    }
    out.flush();
  }
}
