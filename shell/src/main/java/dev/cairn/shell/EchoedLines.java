package dev.cairn.shell;

import dev.cairn.shell.output.Output;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;

/** Reads lines of a script, and prints each after its prompt, as HBase's shell does. */
final class EchoedLines implements Lines {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final String source;
  private final BufferedReader reader;
  private final Output output;
  private final Echo echo;
  private boolean begun;

  /** The echo of lines. */
  enum Echo {
    PRINTED,
    SILENT
  }

  /**
   * Creates a source of lines.
   *
   * @param source the name of the script, for errors
   * @param reader reads the script; fails on bytes that are not UTF-8
   */
  EchoedLines(String source, BufferedReader reader, Output output, Echo echo) {
    this.source = source;
    this.reader = reader;
    this.output = output;
    this.echo = echo;
  }

  @Override
  public Optional<String> next(String prompt) throws IOException {
    Optional<String> line = read();
    if (echo == Echo.PRINTED && line.isPresent() && !prompt.isEmpty()) {
      output.line(prompt + line.get());
    }
    return line;
  }

  /** Reads a line, without the byte order mark that some editors write at the start of a file. */
  private Optional<String> read() throws IOException {
    try {
      Optional<String> line = Optional.ofNullable(reader.readLine());
      boolean first = !begun;
      begun = true;
      return first && line.isPresent() && line.get().startsWith(BYTE_ORDER_MARK)
          ? line.map(text -> text.substring(BYTE_ORDER_MARK.length()))
          : line;
    } catch (CharacterCodingException e) {
      throw new IOException(source + " is not UTF-8 text; write other bytes as \"\\xe9\"", e);
    }
  }
}
