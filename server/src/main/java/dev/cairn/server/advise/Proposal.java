package dev.cairn.server.advise;

import java.util.List;

/**
 * A proposed change.
 *
 * @param sentence the change and its cost
 * @param commands lines for the shell; empty if only the application can do it
 * @param effect its effect, computed from the calls or files
 */
public record Proposal(String sentence, List<String> commands, Effect effect) {
  /** Copies the list. */
  public Proposal {
    commands = List.copyOf(commands);
  }
}
