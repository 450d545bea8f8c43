package dev.cairn.server.advise;

import java.util.List;

/**
 * Something to do.
 *
 * @param sentence what, and what it costs
 * @param commands lines for the shell; empty if only the application can do it
 * @param effect what it changes, computed from the calls or files
 */
public record Proposal(String sentence, List<String> commands, Effect effect) {
  /** Copies the list. */
  public Proposal {
    commands = List.copyOf(commands);
  }
}
