package dev.cairn.launcher;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
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

  @ParentCommand private CairnCommand cairn;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
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
      Descriptions.print(serving.status().endpoints(), out);
      Descriptions.line("process", serving.status().process().pid(), out);
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
