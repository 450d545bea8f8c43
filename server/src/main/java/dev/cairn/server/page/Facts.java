package dev.cairn.server.page;

import java.util.List;

/**
 * Named values, one below the other.
 *
 * @param id its name in JSON
 * @param title its heading
 */
public record Facts(String id, String title, List<Fact> facts) implements Section {
  /** Copies the facts and checks the id. */
  public Facts {
    Ids.check(id);
    facts = List.copyOf(facts);
  }
}
