package dev.cairn.shell;

import java.io.IOException;
import java.util.Optional;

/** Reads the lines of a script or a person. */
public interface Lines {
  /**
   * Returns the next line; empty at the end.
   *
   * @param prompt the prompt at a terminal
   */
  Optional<String> next(String prompt) throws IOException;

  /**
   * Returns the next line of a statement that has begun; empty at the end.
   *
   * @param prompt the prompt at a terminal
   * @param begun the lines of the statement so far
   */
  default Optional<String> next(String prompt, String begun) throws IOException {
    return next(prompt);
  }
}
