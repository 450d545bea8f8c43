package dev.cairn.launcher;

import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code cairn version}, and the option {@code --version}. */
@Command(
    name = "version",
    description = "Prints the versions of Cairn and Java.",
    mixinStandardHelpOptions = true)
final class VersionCommand implements Runnable, IVersionProvider {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    for (String line : getVersion()) {
      spec.commandLine().getOut().println(line);
    }
  }

  @Override
  public String[] getVersion() {
    String number = VersionCommand.class.getPackage().getImplementationVersion();
    return new String[] {
      "Cairn " + Optional.ofNullable(number).orElse("(not packaged)"),
      "Java " + Runtime.version() + " (" + System.getProperty("java.vm.vendor") + ")"
    };
  }
}
