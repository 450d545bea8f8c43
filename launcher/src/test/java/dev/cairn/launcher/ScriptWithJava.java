package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An installation of {@code bin/cairn} with a {@code java} that is a script, too. */
final class ScriptWithJava {
  private static final Path SCRIPT = Path.of("").toAbsolutePath().getParent().resolve("bin/cairn");

  private final Path folder;

  /**
   * Installs both.
   *
   * @param folder an empty folder
   * @param java the lines of the script {@code java}
   */
  ScriptWithJava(Path folder, String java) throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")));
    this.folder = folder;
    write("home/bin/cairn", Files.readString(SCRIPT));
    write("home/lib/cairn.classpath", "lib/cairn-launcher-0.jar");
    write("home/lib/cairn-launcher-0.jar", "");
    write("home/lib/coprocessor.classpath", "lib/cairn-launcher-0.jar:lib/hbase-server-0.jar");
    write("home/lib/coprocessor/cairn-coprocessor-0.jar", "");
    write("java/bin/java", "#!/bin/sh\n" + java);
  }

  /** Returns the folder of the jars. */
  Path lib() {
    return folder.resolve("home/lib");
  }

  /**
   * Runs a command, and returns the lines that it prints.
   *
   * @param version the version that {@code java} claims to have
   */
  List<String> run(String version, Map<String, String> environment, String command)
      throws IOException, InterruptedException {
    Process script = start(version, environment, command);
    List<String> lines = script.inputReader().lines().toList();
    assertThat(script.waitFor()).as("%s", lines).isZero();
    return lines;
  }

  /** As {@link #run}, and does not wait for the end. */
  Process start(String version, Map<String, String> environment, String command)
      throws IOException {
    write("java/release", "JAVA_VERSION=\"" + version + ".0.1\"\n");
    ProcessBuilder builder =
        new ProcessBuilder(folder.resolve("home/bin/cairn").toString(), command);
    Map<String, String> all = new TreeMap<>(environment);
    all.put("JAVA_HOME", folder.resolve("java").toString());
    all.put("HOME", folder.toString());
    builder.environment().keySet().removeAll(List.of("XDG_CACHE_HOME", "CAIRN_RECORD"));
    builder.environment().putAll(all);
    return builder.redirectErrorStream(true).start();
  }

  private void write(String path, String content) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
