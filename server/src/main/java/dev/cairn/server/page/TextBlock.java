package dev.cairn.server.page;

/**
 * Lines of text as they are: a stack dump, a part of a log.
 *
 * @param id its name in JSON
 * @param title its heading
 */
public record TextBlock(String id, String title, String text) implements Section {
  /** Checks the id. */
  public TextBlock {
    Ids.check(id);
  }
}
