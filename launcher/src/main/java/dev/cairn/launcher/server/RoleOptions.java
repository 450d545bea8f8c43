package dev.cairn.launcher.server;

import dev.cairn.launcher.control.Role;
import dev.cairn.launcher.control.RoleControl;
import dev.cairn.launcher.control.RoleFiles;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.launcher.site.Installation;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of {@code start}, {@code stop} and {@code status} that name a process. */
final class RoleOptions {
  @Parameters(
      arity = "0..1",
      paramLabel = "ROLE",
      description =
          "A process of a cluster: ${COMPLETION-CANDIDATES} (default: the standalone server).")
  private Role role;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "The name of the process, unique on this machine (default: the role, with the prefix"
              + " HBASE_IDENT_STRING if that is set).")
  private String name;

  /** Returns the process; empty for the standalone server. */
  Optional<RoleControl> control(CommandContext cairn) {
    if (role == null) {
      if (name != null) {
        throw new LauncherException("--name needs a ROLE: it names a process of a cluster");
      }
      return Optional.empty();
    }
    Installation installation = cairn.installation();
    return Optional.of(
        new RoleControl(
            installation,
            role,
            RoleFiles.of(role, Optional.ofNullable(name), installation, cairn.environment())));
  }

  /** Accepts settings of a process, with the option of HBase's commands. */
  static final class Settings {
    @Option(
        names = "-D",
        paramLabel = "KEY=VALUE",
        description = "A setting that overrides hbase-site.xml.")
    private Map<String, String> settings = new TreeMap<>();

    /** Returns the settings. */
    Map<String, String> texts() {
      return settings;
    }
  }
}
