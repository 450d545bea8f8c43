package dev.cairn.launcher;

import dev.cairn.server.health.HealthReport;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * {@code cairn status}. The exit status follows the Linux Standard Base: 0 running, 1 dead although
 * it was not stopped, 3 not running.
 */
@Command(
    name = "status",
    description = "Shows whether a server runs on the data folder, and its health.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:running, whatever its health",
      "1:not running, and the last one did not stop in order; or an error",
      "3:not running"
    })
final class StatusCommand implements Callable<Integer> {
  private static final int RUNNING = 0;
  private static final int DEAD = 1;
  private static final int STOPPED = 3;
  private static final Duration HEALTH_PATIENCE = Duration.ofSeconds(10);

  @ParentCommand private CairnCommand cairn;
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    cairn.logErrorsOnly();
    PrintWriter out = spec.commandLine().getOut();
    DataFolder folder = cairn.dataFolder();
    ServerState state = folder.state();
    if (json) {
      out.println(StatusJson.of(state, folder.path(), health(state), failure(state)));
    } else {
      print(state, new StatusText(out));
      Descriptions.line("data folder", folder.path(), out);
    }
    out.flush();
    return exitStatus(state);
  }

  private void print(ServerState state, StatusText text) {
    if (state instanceof ServerState.Serving serving) {
      long upMillis = System.currentTimeMillis() - serving.status().servingMillis();
      text.serving(
          serving.status(), Duration.ofMillis(Math.max(0, upMillis)), health(state).orElseThrow());
    } else {
      text.other(state);
      failure(state).ifPresent(text::failure);
    }
  }

  private static Optional<HealthReport> health(ServerState state) {
    return state instanceof ServerState.Serving serving
        ? Optional.of(new HealthQuery(HEALTH_PATIENCE).ask(serving.status().addresses().health()))
        : Optional.empty();
  }

  /** Returns why no server runs, if the last start failed. */
  private Optional<StartOutput.Failure> failure(ServerState state) {
    return exitStatus(state) == RUNNING ? Optional.empty() : cairn.serverControl().lastFailure();
  }

  private static int exitStatus(ServerState state) {
    if (state instanceof ServerState.Stopped) {
      return STOPPED;
    }
    return state instanceof ServerState.Died ? DEAD : RUNNING;
  }
}
