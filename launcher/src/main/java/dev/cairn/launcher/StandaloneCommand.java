package dev.cairn.launcher;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn standalone}: master, region server and ZooKeeper in this process. */
@Command(
    name = "standalone",
    description = "Runs the server in the foreground; Ctrl-C stops it cleanly.",
    mixinStandardHelpOptions = true)
final class StandaloneCommand implements Callable<Integer> {
  @ParentCommand private CairnCommand cairn;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine commandLine = spec.commandLine();
    return new Standalone(cairn, commandLine.getOut(), commandLine.getErr()).run();
  }
}
