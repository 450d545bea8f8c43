package dev.cairn.launcher.control;

import dev.cairn.launcher.folder.Umask;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.Installation;
import dev.cairn.launcher.site.LogFiles;
import dev.cairn.server.config.SiteConfigLoader;
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
import java.util.function.Consumer;

/**
 * Starts, finds and stops one process of a cluster on this machine.
 *
 * @param installation where Cairn is installed
 * @param role the kind of the process
 * @param files the files of the process
 */
public record RoleControl(Installation installation, Role role, RoleFiles files) {
  /**
   * Starts the process and waits until it serves.
   *
   * @param settings settings that override those of {@code hbase-site.xml}
   * @param notice receives, line by line, the reasons for a long start
   * @throws LauncherException if it already runs, or ends while it starts
   */
  public RoleStatus start(Map<String, String> settings, Consumer<String> notice)
      throws IOException, InterruptedException {
    return start(settings, List.of(), notice);
  }

  /**
   * Starts the process with further arguments.
   *
   * @param arguments the last arguments of its command line
   */
  public RoleStatus start(
      Map<String, String> settings, List<String> arguments, Consumer<String> notice)
      throws IOException, InterruptedException {
    Optional<ProcessHandle> running = files.running();
    if (running.isPresent()) {
      throw new LauncherException(
          files.name()
              + " is already running (process "
              + running.get().pid()
              + "); name another one with --name");
    }
    Path script =
        installation
            .home()
            .map(home -> home.resolve("bin").resolve("cairn"))
            .orElseThrow(() -> new LauncherException("only bin/cairn can start a server"));
    List<String> command = new ArrayList<>();
    command.add(script.toString());
    installation
        .configFolder()
        .filter(folder -> Files.exists(folder.resolve(SiteConfigLoader.FILE_NAME)))
        .ifPresent(folder -> command.addAll(List.of("--config", folder.toString())));
    command.add(role.toString());
    settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.addAll(arguments);
    LogFiles logs = logs();
    return new DetachedServer<>(
            command,
            Map.of("CAIRN_BUILT", "true", RoleFiles.VARIABLE, files.text()),
            Umask.UNNAMED,
            pid -> files.status().filter(status -> status.process().pid() == pid),
            logs)
        .start(new Notices(notice, new StartOutput(logs), System::nanoTime));
  }

  /** Returns the log files of the process. */
  public LogFiles logs() {
    return files.logs(installation.logFolder());
  }

  /** Returns why the last process ended, if it ended by itself. */
  public Optional<StartOutput.Failure> lastFailure() {
    try {
      return new StartOutput(logs()).failure();
    } catch (IOException e) {
      return Optional.empty(); // Files of another user, whose process is not ours.
    }
  }

  /**
   * Asks the process to stop, and waits until it has ended.
   *
   * @return its process number, empty if it did not run
   * @throws LauncherException if it does not end in time; it continues to stop
   */
  public Optional<Long> stop(Duration patience) throws IOException, InterruptedException {
    Optional<ProcessHandle> process = files.running();
    if (process.isPresent()) {
      process.get().destroy();
      try {
        process.get().onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        throw new LauncherException(
            "process "
                + process.get().pid()
                + " is still stopping after "
                + patience.toSeconds()
                + " s",
            e);
      } catch (ExecutionException e) {
        throw new IllegalStateException("Only completed normally", e);
      }
    }
    files.delete();
    return process.map(ProcessHandle::pid);
  }
}
