package dev.cairn.launcher;

import dev.cairn.server.process.MasterQuery;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * {@code cairn status}. The exit status follows the Linux Standard Base: 0 running, 1 dead although
 * it was not stopped, 3 not running.
 */
@Command(
    name = "status",
    description = "Tells whether a server runs on the data folder.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:running",
      "1:not running, and the last one did not stop in order; or an error",
      "3:not running"
    })
final class StatusCommand implements Callable<Integer> {
  private static final int RUNNING = 0;
  private static final int DEAD = 1;
  private static final int STOPPED = 3;
  private static final Duration MASTER_PATIENCE = Duration.ofSeconds(5);

  @ParentCommand private CairnCommand cairn;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    cairn.logErrorsOnly();
    PrintWriter out = spec.commandLine().getOut();
    DataFolder folder = cairn.dataFolder();
    int status = describe(folder.state(), out);
    Descriptions.line("data folder", folder.path(), out);
    out.flush();
    return status;
  }

  private static int describe(ServerState state, PrintWriter out) {
    if (state instanceof ServerState.Serving serving) {
      long upMillis = System.currentTimeMillis() - serving.status().servingMillis();
      out.println("Cairn serves since " + uptime(Duration.ofMillis(Math.max(0, upMillis))) + ".");
      Descriptions.print(serving.status().addresses(), out);
      Descriptions.line("process", serving.status().process().pid(), out);
      regionsNotOpen(serving.status().addresses().master())
          .ifPresent(text -> Descriptions.line("not open", text, out));
      return RUNNING;
    }
    if (state instanceof ServerState.Starting starting) {
      out.println("Cairn is starting or stopping.");
      Descriptions.line("process", starting.process().pid(), out);
      return RUNNING;
    }
    if (state instanceof ServerState.Died died) {
      out.println(
          "Cairn is not running; process "
              + died.process().pid()
              + " ended without stopping in order. The next start recovers its data.");
      return DEAD;
    }
    out.println("Cairn is not running.");
    return STOPPED;
  }

  /** Returns what to tell of regions that are not open; nothing if all are. */
  private static Optional<String> regionsNotOpen(String master) {
    int colon = master.lastIndexOf(':');
    try {
      long count =
          MasterQuery.regionsNotOpen(
              new InetSocketAddress(
                  master.substring(0, colon), Integer.parseInt(master.substring(colon + 1))),
              MASTER_PATIENCE);
      return count == 0
          ? Optional.empty()
          : Optional.of(
              count + (count == 1 ? " region" : " regions") + "; if that stays, the log says why");
    } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.of("unknown, since the master does not answer: " + Failures.reason(e));
    }
  }

  private static String uptime(Duration up) {
    if (up.toDays() > 0) {
      return String.format(Locale.ROOT, "%d d %d h", up.toDays(), up.toHoursPart());
    }
    if (up.toHours() > 0) {
      return String.format(Locale.ROOT, "%d h %d min", up.toHours(), up.toMinutesPart());
    }
    if (up.toMinutes() > 0) {
      return String.format(Locale.ROOT, "%d min %d s", up.toMinutes(), up.toSecondsPart());
    }
    return up.toSeconds() + " s";
  }
}
