package dev.cairn.launcher.server;

import dev.cairn.launcher.control.RoleControl;
import dev.cairn.launcher.control.ServerControl;
import dev.cairn.launcher.folder.SiteFolders;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn stop}. */
@Command(
    name = "stop",
    description =
        "Stops the server of the data folder, or a process of a cluster, and waits for its end.",
    mixinStandardHelpOptions = true)
public final class StopCommand implements Runnable {
  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;
  @Mixin private RoleOptions process;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description = "Maximum wait for the end (default: ${DEFAULT-VALUE}).")
  private long timeoutSeconds;

  @Override
  public void run() {
    if (timeoutSeconds < 0) {
      throw new ParameterException(
          spec.commandLine(), "--timeout must be at least 0, not " + timeoutSeconds);
    }
    PrintWriter out = spec.commandLine().getOut();
    try {
      Optional<RoleControl> role = process.control(cairn);
      if (role.isPresent()) {
        stop(role.get(), Duration.ofSeconds(timeoutSeconds), out);
        return;
      }
      Optional<Long> stopped = ServerControl.of(cairn).stop(Duration.ofSeconds(timeoutSeconds));
      out.println(
          stopped
              .map(pid -> "Cairn stopped (process " + pid + ").")
              .orElseGet(
                  () -> "Cairn is not running on " + new SiteFolders(cairn).data().path() + "."));
      out.flush();
    } catch (IOException e) {
      throw new LauncherException("cannot stop: " + Failures.reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LauncherException("interrupted; the server goes on stopping", e);
    }
  }

  /** Stops a process of a cluster, and prints which one. */
  static void stop(RoleControl role, Duration patience, PrintWriter out)
      throws IOException, InterruptedException {
    String name = role.files().name();
    out.println(
        role.stop(patience)
            .map(pid -> name + " stopped (process " + pid + ").")
            .orElse(name + " is not running."));
    out.flush();
  }
}
