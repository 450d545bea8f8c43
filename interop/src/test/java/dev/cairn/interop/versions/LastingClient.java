package dev.cairn.interop.versions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A client in a JVM of its own that outlives servers. One thread. */
final class LastingClient implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 300;

  private final String name;
  private final Process process;
  private final Path output;

  private LastingClient(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
  }

  /** Starts a client, which connects. */
  static LastingClient start(
      String name, ClientProgram program, Path directory, List<String> arguments)
      throws IOException {
    Path folder = Files.createDirectory(directory.resolve(name));
    Path output = folder.resolve("output");
    return new LastingClient(name, program.start(folder, arguments, output), output);
  }

  /** Asks for a row with that name to be written and read. Does not wait. */
  void ask(String row) throws IOException {
    OutputStream input = process.getOutputStream();
    input.write((row + "\n").getBytes(StandardCharsets.UTF_8));
    input.flush();
  }

  /** Waits for the answer to {@link #ask}, and checks it. */
  void awaitAnswer(String row) throws Exception {
    String answer = row + ": " + row + ", true";
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!ClientProgram.steps(output).contains(answer)) {
      boolean patient = process.isAlive() && System.nanoTime() < end;
      assertThat(patient).as("%s, %s:\n%s", name, row, Files.readString(output)).isTrue();
      process.waitFor(10, TimeUnit.MILLISECONDS);
    }
  }

  /** Returns the times that its actions took, in the order of the questions. */
  List<String> times() throws IOException {
    return Files.readString(output).lines().filter(line -> line.startsWith("took ")).toList();
  }

  @Override
  public String toString() {
    return name;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
