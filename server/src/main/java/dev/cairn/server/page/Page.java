package dev.cairn.server.page;

import java.util.List;

/**
 * A page as a model, at one moment.
 *
 * @param title its heading
 * @param sections its parts, in their order
 */
public record Page(String title, List<Section> sections) {
  /** Copies the sections. */
  public Page {
    sections = List.copyOf(sections);
  }

  /** Creates a page of some sections. */
  public static Page of(String title, Section... sections) {
    return new Page(title, List.of(sections));
  }
}
