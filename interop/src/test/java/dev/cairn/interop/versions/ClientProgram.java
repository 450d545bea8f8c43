package dev.cairn.interop.versions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A program for one version of a client: compiled against that client's jars and run with them in a
 * JVM of its own. It prints a line that begins with {@code "> "} for each step.
 *
 * @param jars the folders below {@code target/clients} with the jars
 * @param sources the folders below {@code src/test/clients} with the program
 * @param mainClass its main class
 */
record ClientProgram(List<String> jars, List<String> sources, String mainClass) {
  private static final Path SOURCES = Path.of("src", "test", "clients");
  private static final String STEP = "> ";
  private static final int PATIENCE_SECONDS = 300;

  /**
   * Compiles and runs the program.
   *
   * @param folder where classes and output go
   * @return what it printed for each step
   */
  List<String> run(Path folder, List<String> arguments) throws Exception {
    Path output = folder.resolve("output");
    Process process = start(folder, arguments, output);
    try {
      boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      String all = Files.readString(output);
      assertThat(ended).as(all).isTrue();
      assertThat(process.exitValue()).as(all).isZero();
      return steps(output);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Returns what a program has printed for each step. */
  static List<String> steps(Path output) throws IOException {
    return Files.readString(output)
        .lines()
        .filter(line -> line.startsWith(STEP))
        .map(line -> line.substring(STEP.length()))
        .toList();
  }

  /**
   * Compiles and starts the program.
   *
   * @param folder where classes go
   * @param output the file to which it prints
   */
  Process start(Path folder, List<String> arguments, Path output) throws IOException {
    compile(folder);
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.net.preferIPv4Stack=true",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp",
                folder + File.pathSeparator + ClientJars.classPath(jars),
                mainClass));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private void compile(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String source : sources) {
      try (Stream<Path> below = Files.walk(SOURCES.resolve(source))) {
        below.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
      }
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  messages,
                  manager,
                  null,
                  List.of("-proc:none", "-d", folder.toString(), "-cp", ClientJars.classPath(jars)),
                  null,
                  manager.getJavaFileObjectsFromPaths(files))
              .call();
      assertThat(compiled).as(messages.toString()).isTrue();
    }
  }
}
