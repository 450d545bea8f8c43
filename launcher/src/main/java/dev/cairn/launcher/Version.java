package dev.cairn.launcher;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The name and version of this program, for people. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "Cairn " + number(),
      "Java " + Runtime.version() + " (" + System.getProperty("java.vm.vendor") + ")"
    };
  }

  /** Returns the version that the build wrote into the jar. */
  static String number() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse("(not packaged)");
  }
}
