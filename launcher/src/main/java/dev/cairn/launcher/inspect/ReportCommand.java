package dev.cairn.launcher.inspect;

import dev.cairn.launcher.client.RunningServer;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn report}. */
@Command(
    name = "report",
    description = {
      "Shows the problems that the masters found in hbase:meta and the directories of"
          + " regions, and their repairs; and servers that restarted themselves.",
      "The active master answers, at its web page (hbase.master.info.port)."
    },
    mixinStandardHelpOptions = true)
public final class ReportCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int ANSWER_MAX = 16 << 20;

  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON array.")
  private boolean json;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "A setting of the client, as in hbase-site.xml.")
  private Map<String, String> settings = Map.of();

  @Override
  public Integer call() throws IOException {
    cairn.logErrorsOnly();
    PrintWriter out = spec.commandLine().getOut();
    out.println(read(page()));
    out.flush();
    return 0;
  }

  private URL page() throws IOException {
    try (Connection connection =
        ConnectionFactory.createConnection(RunningServer.configuration(cairn, settings))) {
      ClusterMetrics metrics =
          connection
              .getAdmin()
              .getClusterMetrics(
                  EnumSet.of(ClusterMetrics.Option.MASTER, ClusterMetrics.Option.MASTER_INFO_PORT));
      if (metrics.getMasterInfoPort() <= 0) {
        throw new LauncherException(
            "the master "
                + metrics.getMasterName()
                + " has no web page (hbase.master.info.port), which the report is read from");
      }
      return new URL(
          "http",
          metrics.getMasterName().getHostname(),
          metrics.getMasterInfoPort(),
          json ? "/report?format=json" : "/report");
    }
  }

  private static String read(URL page) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) page.openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(Math.toIntExact(PATIENCE.toMillis()));
    connection.setReadTimeout(Math.toIntExact(PATIENCE.toMillis()));
    try {
      if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
        throw new LauncherException(
            "the master answers with HTTP status " + connection.getResponseCode() + " at " + page);
      }
      try (InputStream in = connection.getInputStream()) {
        return new String(in.readNBytes(ANSWER_MAX), StandardCharsets.UTF_8).strip();
      }
    } finally {
      connection.disconnect();
    }
  }
}
