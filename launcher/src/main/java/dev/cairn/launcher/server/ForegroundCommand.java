package dev.cairn.launcher.server;

import dev.cairn.launcher.control.Role;
import dev.cairn.launcher.run.RoleProcess;
import dev.cairn.launcher.run.Standalone;
import dev.cairn.launcher.site.CommandContext;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** The commands that run a server, or a process of a cluster, in this process. */
public abstract class ForegroundCommand implements Callable<Integer> {
  @ParentCommand private CommandContext cairn;
  @Spec private CommandSpec spec;

  private ForegroundCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    return run(cairn, spec.commandLine());
  }

  abstract int run(CommandContext cairn, CommandLine commandLine)
      throws IOException, InterruptedException;

  /** {@code cairn standalone}: master, region server and ZooKeeper. */
  @Command(
      name = "standalone",
      description = "Runs the server in the foreground; Ctrl-C stops it cleanly.",
      mixinStandardHelpOptions = true)
  public static final class OfStandalone extends ForegroundCommand {
    @Override
    int run(CommandContext cairn, CommandLine commandLine)
        throws IOException, InterruptedException {
      return new Standalone(cairn, commandLine.getOut(), commandLine.getErr()).run();
    }
  }

  /** {@code cairn master}. */
  @Command(
      name = "master",
      description = "Runs a master of a cluster in the foreground; Ctrl-C stops it cleanly.",
      mixinStandardHelpOptions = true)
  public static final class OfMaster extends OfRole {
    /** Creates the command. */
    public OfMaster() {
      super(Role.MASTER);
    }
  }

  /** {@code cairn regionserver}. */
  @Command(
      name = "regionserver",
      description = "Runs a region server of a cluster in the foreground; Ctrl-C stops it cleanly.",
      mixinStandardHelpOptions = true)
  public static final class OfRegionServer extends OfRole {
    /** Creates the command. */
    public OfRegionServer() {
      super(Role.REGIONSERVER);
    }
  }

  /** {@code cairn zookeeper}. */
  @Command(
      name = "zookeeper",
      description = "Runs the ZooKeeper of a cluster in the foreground; Ctrl-C stops it.",
      mixinStandardHelpOptions = true)
  public static final class OfZooKeeper extends OfRole {
    /** Creates the command. */
    public OfZooKeeper() {
      super(Role.ZOOKEEPER);
    }
  }

  private abstract static class OfRole extends ForegroundCommand {
    @Mixin private RoleOptions.Settings settings;

    private final Role role;

    private OfRole(Role role) {
      this.role = role;
    }

    @Override
    final int run(CommandContext cairn, CommandLine commandLine)
        throws IOException, InterruptedException {
      return RoleProcess.run(cairn, role, settings.texts(), commandLine);
    }
  }
}
