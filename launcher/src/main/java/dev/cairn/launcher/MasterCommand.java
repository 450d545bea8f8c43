package dev.cairn.launcher;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn master}. */
@Command(
    name = "master",
    description = "Runs a master of a cluster in the foreground; Ctrl-C stops it cleanly.",
    mixinStandardHelpOptions = true)
final class MasterCommand implements Callable<Integer> {
  @ParentCommand private CairnCommand cairn;
  @Spec private CommandSpec spec;
  @Mixin private RoleOptions.Settings settings;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return cairn.run(Role.MASTER, settings.texts(), spec.commandLine());
  }
}
