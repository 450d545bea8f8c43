package dev.cairn.server.page;

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
