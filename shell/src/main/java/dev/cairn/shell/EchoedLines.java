package dev.cairn.shell;

import dev.cairn.shell.output.Output;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Optional;

/** Reads lines of a script, and prints each after its prompt, as HBase's shell does. */
final class EchoedLines implements Lines {
  private final BufferedReader reader;
  private final Output output;
  private final Echo echo;

  /** Whether to print lines. */
  enum Echo {
    PRINTED,
    SILENT
  }

  EchoedLines(BufferedReader reader, Output output, Echo echo) {
    this.reader = reader;
    this.output = output;
    this.echo = echo;
  }

  @Override
  public Optional<String> next(String prompt) throws IOException {
    Optional<String> line = Optional.ofNullable(reader.readLine());
    if (echo == Echo.PRINTED && line.isPresent() && !prompt.isEmpty()) {
      output.line(prompt + line.get());
    }
    return line;
  }
}
