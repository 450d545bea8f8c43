package dev.cairn.launcher;

import java.io.File;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code cairn classpath}: what a program of the user's own needs on its class path. */
@Command(
    name = "classpath",
    description =
        "Prints the class path: the configuration folder and all jars, except those that only"
            + " coprocessors need.",
    mixinStandardHelpOptions = true)
final class ClasspathCommand implements Runnable {
  @ParentCommand private CairnCommand cairn;
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    String jars = System.getProperty("java.class.path");
    String all =
        cairn
            .installation()
            .configFolder()
            .map(folder -> folder + File.pathSeparator + jars)
            .orElse(jars);
    spec.commandLine().getOut().println(all);
  }
}
