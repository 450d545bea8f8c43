package dev.cairn.launcher.control;

import dev.cairn.engine.storage.FilePermissions;
import dev.cairn.launcher.folder.Umask;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.LogFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Starts a server as a process of its own that outlives this one and its terminal, and waits until
 * it serves.
 *
 * @param command what runs the server in the foreground; must keep the process number it was given
 * @param environment variables to add to those for the log
 * @param umask the permissions of its output files
 * @param status returns the status of the process with a number; empty before it serves
 * @param logs the files for its output
 * @param <S> the status of a process
 */
public record DetachedServer<S>(
    List<String> command,
    Map<String, String> environment,
    Umask umask,
    LongFunction<Optional<S>> status,
    LogFiles logs) {
  /** The variable with the umask that {@code bin/cairn} sets for the process. */
  private static final String UMASK_VARIABLE = "CAIRN_UMASK";

  private static final long POLL_MILLIS = 5;

  /**
   * Starts it.
   *
   * @param waiting called now and then while it is not yet serving
   * @return its status
   * @throws LauncherException if it ended instead, with its own reason
   */
  S start(Runnable waiting) throws IOException, InterruptedException {
    FilePermissions permissions = prepareLogs();
    ProcessBuilder builder = new ProcessBuilder();
    builder.environment().putAll(environment);
    builder.environment().putAll(logs.variables());
    builder.environment().put(UMASK_VARIABLE, permissions.umask()); // for Logback's files
    List<String> whole = new ArrayList<>();
    whole.add(detacher(builder.environment().getOrDefault("PATH", "")));
    whole.addAll(command);
    builder.command(whole);
    builder.redirectInput(new File("/dev/null"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(logs.out().toFile()));
    Process process = builder.start();
    // Neither the file system nor another process wakes us, so this polls while it waits for the
    // end.
    while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
      Optional<S> found = status.apply(process.pid());
      if (found.isPresent()) {
        return found.get();
      }
      waiting.run();
    }
    throw new LauncherException(new StartOutput(logs).reason());
  }

  /**
   * Returns the command that gives a process a session of its own, so that no signal of this one's
   * terminal reaches it. Both known ones replace themselves by the started program.
   */
  private static String detacher(String path) {
    for (String folder : path.split(File.pathSeparator)) {
      if (Files.isExecutable(Path.of(folder, "setsid"))) {
        return "setsid";
      }
    }
    return "nohup";
  }

  /** Creates the output files. Returns the permissions for further files. */
  private FilePermissions prepareLogs() throws IOException {
    Path folder = logs.log().getParent();
    try {
      FilePermissions permissions = umask.inside(folder);
      permissions.createFolders(folder);
      logs.rotate();
      permissions.createFile(logs.out());
      return permissions;
    } catch (IOException e) {
      throw new IOException(
          "cannot write the log "
              + logs.log()
              + ": "
              + Failures.reason(e)
              + "; set HBASE_LOG_DIR to another folder",
          e);
    }
  }
}
