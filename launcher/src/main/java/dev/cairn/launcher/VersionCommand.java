package dev.cairn.launcher;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cairn version}. */
@Command(
    name = "version",
    description = "Prints the versions of Cairn and Java.",
    mixinStandardHelpOptions = true)
final class VersionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    for (String line : new Version().getVersion()) {
      spec.commandLine().getOut().println(line);
    }
  }
}
