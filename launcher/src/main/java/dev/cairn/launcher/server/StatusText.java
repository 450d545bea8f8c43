package dev.cairn.launcher.server;

import dev.cairn.launcher.control.StartOutput;
import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.process.ServerState;
import dev.cairn.launcher.process.ServerStatus;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.health.HealthStatus;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * Prints the state of a data folder's server as text.
 *
 * @param out receives the text
 */
record StatusText(PrintWriter out) {
  /** Prints a server that has served for {@code up}. */
  void serving(ServerStatus status, Duration up, HealthReport health) {
    out.println("Cairn has been serving for " + uptime(up) + ".");
    Descriptions.print(status.addresses(), out);
    status.log().ifPresent(log -> Descriptions.line("log", log, out));
    Descriptions.line("process", status.process().pid(), out);
    health(health);
  }

  /** Prints the health of a server, with its failed checks. */
  void health(HealthReport health) {
    Descriptions.line("health", health.status().word(), out);
    for (HealthReport.Entry check : health.checks()) {
      if (check.result().status() != HealthStatus.OK) {
        printFindings(check.name(), check.result());
      }
    }
  }

  private void printFindings(String check, HealthResult result) {
    String name = check;
    for (String finding : result.message().split("\n")) {
      Descriptions.line(name, result.status().word() + ": " + finding, out);
      name = "";
    }
  }

  /**
   * Prints any other state.
   *
   * @param notices what a server that starts waits for
   */
  void other(ServerState state, List<String> notices) {
    if (state instanceof ServerState.Starting starting) {
      out.println("Cairn is starting or stopping.");
      notices.forEach(line -> Descriptions.line("waits", line, out));
      Descriptions.line("process", starting.process().pid(), out);
    } else if (state instanceof ServerState.Died died) {
      out.println(
          "Cairn is not running; process "
              + died.process().pid()
              + " ended without a clean stop. The next start recovers its data.");
    } else {
      out.println("Cairn is not running.");
    }
  }

  /** Prints why the last server ended. */
  void failure(StartOutput.Failure failure) {
    Descriptions.line("last failure", failure.reason(), out);
    Descriptions.line("failed at", Instant.ofEpochMilli(failure.millis()), out);
    Descriptions.line("log", failure.log(), out);
  }

  /** Returns a time in its two largest units. */
  static String uptime(Duration up) {
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
