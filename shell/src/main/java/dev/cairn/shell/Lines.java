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
}
