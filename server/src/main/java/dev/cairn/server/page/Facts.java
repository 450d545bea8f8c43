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

  /**
   * A named value.
   *
   * @param id its name in JSON
   * @param title its name for people
   */
  public record Fact(String id, String title, Value value) {
    /** Checks the id. */
    public Fact {
      Ids.check(id);
    }
  }
}
