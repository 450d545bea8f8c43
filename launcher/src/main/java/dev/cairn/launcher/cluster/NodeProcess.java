package dev.cairn.launcher.cluster;

import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.process.ProcessIdentity;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Starts and ends the process of one node. The process runs in a session of its own, so it outlives
 * the process that started it.
 *
 * @param name the node's name
 * @param pid the file with the identity of the process
 * @param log receives its output
 */
record NodeProcess(String name, Path pid, Path log) {
  private static final long DEATH_SECONDS = 30;

  /** Returns the process, if it runs. */
  Optional<ProcessHandle> running() {
    return ProcessIdentity.read(pid).flatMap(ProcessIdentity::find);
  }

  /** Tells whether the process is suspended by a signal. */
  boolean isFrozen() {
    return running()
        .map(
            process -> {
              try {
                String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
                return stat.startsWith("T", stat.lastIndexOf(')') + 2);
              } catch (IOException e) {
                return false; // Not Linux, or the process has just ended.
              }
            })
        .orElse(false);
  }

  /**
   * Starts the process. Does not wait for it.
   *
   * @param environment variables to add to those of this process
   * @throws LauncherException if it already runs
   */
  void launch(List<String> command, Map<String, String> environment) throws IOException {
    if (running().isPresent()) {
      throw new LauncherException(name + " is already running (process " + requirePid() + ")");
    }
    List<String> whole = new ArrayList<>(List.of("setsid"));
    whole.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(whole)
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    Process process = builder.start();
    Files.writeString(pid, ProcessIdentity.of(process.toHandle()).text());
  }

  /** Kills the process (SIGKILL) and waits for its end. */
  void kill() throws InterruptedException {
    ProcessHandle process = require();
    process.destroyForcibly();
    awaitEnd(process, Duration.ofSeconds(DEATH_SECONDS));
  }

  /**
   * Stops the process (SIGTERM) and waits for its end. Kills it if that takes too long. Does
   * nothing if it does not run.
   *
   * @return false if it was killed
   */
  boolean stop(Duration patience) throws IOException, InterruptedException {
    Optional<ProcessHandle> process = running();
    if (process.isEmpty()) {
      return true;
    }
    process.get().destroy();
    signal(process.get(), "CONT"); // A frozen process does not receive SIGTERM.
    if (awaitEnd(process.get(), patience)) {
      return true;
    }
    kill();
    return false;
  }

  /** Suspends the process (SIGSTOP). */
  void freeze() throws IOException, InterruptedException {
    signal(require(), "STOP");
  }

  /** Resumes a frozen process (SIGCONT). */
  void thaw() throws IOException, InterruptedException {
    signal(require(), "CONT");
  }

  /**
   * Returns the number of the process.
   *
   * @throws LauncherException if it does not run
   */
  long requirePid() {
    return require().pid();
  }

  private ProcessHandle require() {
    return running().orElseThrow(() -> new LauncherException(name + " is not running"));
  }

  private static boolean awaitEnd(ProcessHandle process, Duration patience)
      throws InterruptedException {
    try {
      process.onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("Only completed normally", e);
    }
  }

  /** Runs {@code kill}, because Java can only send signals that end a process. */
  private static void signal(ProcessHandle process, String signal)
      throws IOException, InterruptedException {
    int status =
        new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();
    if (status != 0 && process.isAlive()) {
      throw new IOException("kill -" + signal + " " + process.pid() + " failed");
    }
  }
}
