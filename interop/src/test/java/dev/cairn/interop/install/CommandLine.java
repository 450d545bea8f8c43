package dev.cairn.interop.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a command and returns what it prints. */
final class CommandLine {
  private static final long SECONDS_MAX = 240;

  private CommandLine() {}

  /**
   * The result of a command.
   *
   * @param status its exit status
   * @param output its standard output and standard error
   */
  record Result(int status, String output) {}

  /** Runs {@code command} in {@code folder} with only these variables, and waits for its end. */
  static Result run(Path folder, Map<String, String> variables, List<String> command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(variables);
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    Process process = builder.start();
    try {
      assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS))
          .as("%s ends; so far: %s", command, Files.readString(output))
          .isTrue();
      return new Result(process.exitValue(), Files.readString(output));
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }
}
