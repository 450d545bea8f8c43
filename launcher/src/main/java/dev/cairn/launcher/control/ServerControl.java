package dev.cairn.launcher.control;

import dev.cairn.launcher.folder.DataFolder;
import dev.cairn.launcher.folder.SiteFolders;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.launcher.process.ProcessIdentity;
import dev.cairn.launcher.process.ServerState;
import dev.cairn.launcher.process.ServerStatus;
import dev.cairn.launcher.site.CommandContext;
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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Starts, finds and stops the server of one data folder, which is a process of its own. */
public final class ServerControl {
  private static final long LOOK_MILLIS = 20;

  private final Installation installation;
  private final DataFolder dataFolder;

  ServerControl(Installation installation, DataFolder dataFolder) {
    this.installation = installation;
    this.dataFolder = dataFolder;
  }

  /** Returns the control of the server that the settings name. */
  public static ServerControl of(CommandContext context) {
    return new ServerControl(context.installation(), new SiteFolders(context).data());
  }

  /**
   * A server that was just started.
   *
   * @param pid its process
   * @param addresses where it can be reached
   * @param startNanos from the start of the process until it served
   * @param dataFolder its data
   * @param log its log file
   */
  public record Started(
      long pid, Addresses addresses, long startNanos, Path dataFolder, Path log) {}

  /** Returns where the server can be reached, if it serves. */
  public Optional<Addresses> serving() {
    return dataFolder.state() instanceof ServerState.Serving serving
        ? Optional.of(serving.status().addresses())
        : Optional.empty();
  }

  /**
   * Starts the server and waits until it serves.
   *
   * @param notice receives, line by line, the reasons for a long start
   * @throws LauncherException if one runs already, or this one ends while starting
   */
  public Started start(Consumer<String> notice) throws IOException, InterruptedException {
    running().ifPresent(this::refuseSecond);
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
    command.add("standalone");
    LogFiles logs = logs();
    long start = System.nanoTime();
    ServerStatus status =
        new DetachedServer<>(
                command,
                Map.of("CAIRN_BUILT", "true"),
                dataFolder.umask(),
                pid -> ServerStatus.read(dataFolder.path()).filter(s -> s.process().pid() == pid),
                logs)
            .start(new Notices(notice, new StartOutput(logs), System::nanoTime));
    return new Started(
        status.process().pid(),
        status.addresses(),
        System.nanoTime() - start,
        dataFolder.path(),
        logs.log());
  }

  /** Returns the failure of the last {@link #start}, unless it succeeded. */
  public Optional<StartOutput.Failure> lastFailure() {
    try {
      return new StartOutput(logs()).failure();
    } catch (IOException e) {
      return Optional.empty(); // Files of another user: then it was not a start of this one.
    }
  }

  /**
   * Returns what a server that starts in the background waits for, oldest first; empty if it has
   * not said so, or was started otherwise.
   */
  public List<String> notices(ProcessIdentity process) {
    try {
      long written = Files.getLastModifiedTime(logs().out()).toMillis();
      return written < process.startMillis() ? List.of() : new StartOutput(logs()).notices();
    } catch (IOException e) {
      return List.of(); // as above
    }
  }

  private LogFiles logs() {
    return LogFiles.of(installation.logFolder(), installation.home(), dataFolder.path());
  }

  private void refuseSecond(ProcessIdentity process) {
    throw new LauncherException(
        "already running on " + dataFolder.path() + " (process " + process.pid() + ")");
  }

  /**
   * Asks the server to stop, and waits until it has released the data folder. Its process has
   * nothing left to do then, although the system may list it for a while.
   *
   * @return its process number, empty if none ran
   * @throws LauncherException if it does not end in time; it is left to end by itself
   */
  public Optional<Long> stop(Duration patience) throws InterruptedException {
    Optional<ProcessIdentity> running = running();
    if (running.isEmpty()) {
      return Optional.empty();
    }
    long pid = running.get().pid();
    Optional<ProcessHandle> process = running.get().find();
    if (process.isEmpty()) {
      throw new LauncherException(
          "a process that cannot be seen from here serves " + dataFolder.path());
    }
    process.get().destroy();
    long end = System.nanoTime() + patience.toNanos();
    while (running().filter(now -> now.pid() == pid).isPresent()) {
      if (System.nanoTime() - end >= 0) {
        throw new LauncherException(
            "process " + pid + " is still stopping after " + patience.toSeconds() + " s");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // nothing wakes us when a lock is released
    }
    return Optional.of(pid);
  }

  private Optional<ProcessIdentity> running() {
    ServerState state = dataFolder.state();
    if (state instanceof ServerState.Serving serving) {
      return Optional.of(serving.status().process());
    }
    if (state instanceof ServerState.Starting starting) {
      return Optional.of(starting.process());
    }
    return Optional.empty();
  }
}
