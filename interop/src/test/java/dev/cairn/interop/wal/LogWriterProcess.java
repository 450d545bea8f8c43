package dev.cairn.interop.wal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.wal.file.WalCompression;
import dev.cairn.engine.wal.file.WalValueCompression;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A process that writes entries to a log and prints the number of each as soon as it is
 * acknowledged, until it is killed.
 */
final class LogWriterProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;
  private final Path errors;
  private long acknowledged;

  /**
   * Starts one.
   *
   * @param main a class of these tests whose arguments are the root directory, the seed of the
   *     entries, and those of {@link #arguments}
   */
  LogWriterProcess(Class<?> main, Path root, long seed, WalCompression compression, String provider)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(root.toString(), Long.toString(seed)));
    command.addAll(arguments(compression, provider));
    this.errors = root.resolve("errors");
    this.process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start();
    this.output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private static List<String> arguments(WalCompression compression, String provider) {
    return List.of(
        Boolean.toString(compression.dictionary()),
        Boolean.toString(compression.tags()),
        compression.values().map(Enum::name).orElse("-"),
        provider);
  }

  /** Returns the compression that {@link #arguments} told a process. */
  static WalCompression compression(String[] arguments) {
    return new WalCompression(
        Boolean.parseBoolean(arguments[2]),
        Boolean.parseBoolean(arguments[3]),
        arguments[4].equals("-")
            ? Optional.empty()
            : Optional.of(WalValueCompression.of(arguments[4])));
  }

  /** Tells whoever started this process that an entry is acknowledged. */
  static void acknowledge(long number) {
    System.out.println(number);
    System.out.flush();
  }

  /**
   * Waits until so many entries are acknowledged, kills the process, and returns the number of the
   * last entry that it acknowledged.
   */
  long killAfter(long entries) throws IOException, InterruptedException {
    String line = "";
    while (acknowledged < entries && (line = output.readLine()) != null) {
      acknowledged = number(line);
    }
    assertThat(line).as("the writer ended:\n%s", Files.readString(errors)).isNotNull();
    // The process itself would take what it wrote last with it.
    process.toHandle().destroyForcibly();
    process.waitFor();
    while ((line = output.readLine()) != null) {
      acknowledged = number(line);
    }
    return acknowledged;
  }

  private long number(String line) {
    // Of a line that the kill cut off, the beginning of a number may be left.
    return line.matches("[0-9]+") ? Math.max(acknowledged, Long.parseLong(line)) : acknowledged;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.destroyForcibly().waitFor();
    output.close();
  }
}
