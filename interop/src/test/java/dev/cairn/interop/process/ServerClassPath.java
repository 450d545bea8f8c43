package dev.cairn.interop.process;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The class path and Java's options of servers that tests start in processes of their own. */
public final class ServerClassPath {
  /** Java's options for a small server of Cairn. */
  public static final List<String> JAVA_OPTIONS =
      List.of(
          "-XX:-UsePerfData",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Dcairn.heap.compacted=true",
          "-Xms64m",
          "-Xmx256m",
          "-XX:+ExitOnOutOfMemoryError",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");

  private ServerClassPath() {}

  /** Returns the class path of this JVM without the tests' own classes and settings. */
  public static String get() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("test-classes"))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
