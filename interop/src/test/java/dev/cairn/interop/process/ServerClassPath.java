package dev.cairn.interop.process;

import java.io.File;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The class path of servers that tests start in processes of their own. */
public final class ServerClassPath {
  private ServerClassPath() {}

  /** Returns the class path of this JVM without the tests' own classes and settings. */
  public static String get() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("test-classes"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
