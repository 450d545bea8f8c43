package dev.cairn.launcher.control;

import dev.cairn.launcher.process.ProcessIdentity;
import dev.cairn.launcher.site.Installation;
import dev.cairn.launcher.site.LogFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The files of one process of a cluster that runs in the background: {@code NAME.pid} names the
 * process, {@code NAME.status} contains its addresses. A process that stops cleanly deletes both.
 *
 * @param folder the folder of both
 * @param name unique among the processes of this machine
 */
public record RoleFiles(Path folder, String name) {
  /** The environment variable in which {@code cairn start} passes {@link #text} to the process. */
  static final String VARIABLE = "CAIRN_ROLE_FILES";

  private static final String FOLDER_VARIABLE = "HBASE_PID_DIR";
  private static final String NAME_VARIABLE = "HBASE_IDENT_STRING";

  /**
   * Returns the files of a process.
   *
   * @param given the name that the user gave, if any
   * @param environment {@code HBASE_PID_DIR} is the folder, and {@code HBASE_IDENT_STRING} part of
   *     the name, as for HBase's scripts
   */
  public static RoleFiles of(
      Role role,
      Optional<String> given,
      Installation installation,
      Map<String, String> environment) {
    String ident = environment.getOrDefault(NAME_VARIABLE, "");
    String folder = environment.getOrDefault(FOLDER_VARIABLE, "");
    return new RoleFiles(
        folder.isBlank() ? installation.logFolder() : Path.of(folder).toAbsolutePath(),
        "cairn-" + given.orElse(ident.isBlank() ? role.toString() : ident + "-" + role));
  }

  /** Returns the files that {@code cairn start} passed to this process; empty in the foreground. */
  public static Optional<RoleFiles> ofEnvironment(Map<String, String> environment) {
    return Optional.ofNullable(environment.get(VARIABLE))
        .map(Path::of)
        .map(path -> new RoleFiles(path.getParent(), path.getFileName().toString()));
  }

  /** Returns the files as one text, for {@link #VARIABLE}. */
  String text() {
    return folder.resolve(name).toString();
  }

  /** Returns the log files of the process. */
  LogFiles logs(Path logFolder) {
    return LogFiles.named(logFolder, name);
  }

  /** Returns the last status that the process wrote. */
  public Optional<RoleStatus> status() {
    return RoleStatus.read(statusFile());
  }

  /** Returns the last process that wrote the file, running or not. */
  public Optional<ProcessIdentity> last() {
    return ProcessIdentity.read(pidFile());
  }

  /** Returns the process, if it runs. */
  public Optional<ProcessHandle> running() {
    return last().flatMap(ProcessIdentity::find);
  }

  /** Writes the process's identity and deletes the status of an earlier process. */
  public void begin(ProcessIdentity self) throws IOException {
    Files.createDirectories(folder);
    Files.deleteIfExists(statusFile());
    Files.writeString(pidFile(), self.text());
  }

  /** Writes the process's status. */
  public void publish(RoleStatus status) throws IOException {
    status.write(statusFile());
  }

  /** Removes both files. */
  public void delete() throws IOException {
    Files.deleteIfExists(statusFile());
    Files.deleteIfExists(pidFile());
  }

  private Path pidFile() {
    return folder.resolve(name + ".pid");
  }

  private Path statusFile() {
    return folder.resolve(name + ".status");
  }
}
