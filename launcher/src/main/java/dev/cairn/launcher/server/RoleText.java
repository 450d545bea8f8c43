package dev.cairn.launcher.server;

import dev.cairn.launcher.control.RoleControl;
import dev.cairn.launcher.control.RoleStatus;
import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.process.ProcessIdentity;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;

/** Prints the state of one process of a cluster as text. */
final class RoleText {
  private RoleText() {}

  /** Prints the facts in a process's status. */
  static void facts(RoleStatus status, PrintWriter out) {
    status
        .facts()
        .forEach(
            (name, value) -> {
              if (!name.equals(RoleStatus.HEALTH)) {
                Descriptions.line(name, value, out);
              }
            });
  }

  /**
   * Prints the state of a process.
   *
   * @param health asks a running process for its health
   * @return the exit status of {@code cairn status}
   */
  static int print(RoleControl control, HealthQuery health, PrintWriter out) {
    String title = control.role().title();
    Optional<ProcessHandle> running = control.files().running();
    if (running.isPresent()) {
      running(control, running.get(), health, out);
      out.flush();
      return StatusCommand.RUNNING;
    }
    Optional<ProcessIdentity> last = control.files().last();
    out.println(
        last.map(
                process ->
                    title
                        + " is not running; process "
                        + process.pid()
                        + " ended without a clean stop.")
            .orElse(title + " is not running."));
    control.lastFailure().ifPresent(new StatusText(out)::failure);
    out.flush();
    return last.isPresent() ? StatusCommand.DEAD : StatusCommand.STOPPED;
  }

  private static void running(
      RoleControl control, ProcessHandle process, HealthQuery health, PrintWriter out) {
    String title = control.role().title();
    Optional<RoleStatus> status =
        control.files().status().filter(known -> known.process().pid() == process.pid());
    if (status.isEmpty()) {
      out.println(title + " is starting or stopping.");
    } else {
      long upMillis = System.currentTimeMillis() - status.get().servingMillis();
      out.println(
          title
              + " has been serving for "
              + StatusText.uptime(Duration.ofMillis(Math.max(0, upMillis)))
              + ".");
      facts(status.get(), out);
    }
    Descriptions.line("log", control.logs().log(), out);
    Descriptions.line("process", process.pid(), out);
    status
        .flatMap(known -> Optional.ofNullable(known.facts().get(RoleStatus.HEALTH)))
        .ifPresent(url -> new StatusText(out).health(health.ask(Optional.of(url))));
  }
}
