package dev.cairn.tools.changes;

import dev.cairn.engine.changes.Change;
import java.io.IOException;

/** Writes changes as text. For one thread. */
public interface ChangeWriter {
  /** Writes a change. */
  void write(Change change) throws IOException;

  /** Writes the token of the place after the last change. */
  void token(String token) throws IOException;
}
