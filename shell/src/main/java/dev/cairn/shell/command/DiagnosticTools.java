package dev.cairn.shell.command;

import dev.cairn.server.coordination.ZooKeeperDump;
import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;

/** The tools for diagnosis. */
final class DiagnosticTools {
  private static final int TIMEOUT_MILLIS = 10_000;

  private DiagnosticTools() {}

  static void declare(Declarations tools) {
    tools
        .add(
            "zk_dump",
            0,
            0,
            "Prints the cluster's znodes in ZooKeeper, and the statistics of its servers.",
            DiagnosticTools::dump,
            "zk_dump")
        .add(
            "trace",
            0,
            2,
            "Tells whether this shell traces its calls. Tracing is not supported.",
            DiagnosticTools::trace,
            "trace 'status'");
  }

  private static Value dump(Session session, Arguments arguments) throws IOException {
    Configuration configuration = session.connection().getConfiguration();
    ZooKeeperDump.lines(
            ZKConfig.getZKQuorumServersString(configuration),
            configuration.get(
                HConstants.ZOOKEEPER_ZNODE_PARENT, HConstants.DEFAULT_ZOOKEEPER_ZNODE_PARENT),
            TIMEOUT_MILLIS)
        .forEach(session.output()::line);
    return Value.NIL;
  }

  private static Value trace(Session session, Arguments arguments) {
    String wish =
        arguments.size() == 0
            ? "status"
            : arguments.letters(0, "What to do").toLowerCase(Locale.ROOT);
    return switch (wish) {
      case "status", "stop" -> Value.of(false);
      case "start" -> throw new ShellException("trace 'start' is not supported yet");
      default ->
          throw new ShellException("trace takes 'start', 'stop' and 'status', not '" + wish + "'");
    };
  }
}
