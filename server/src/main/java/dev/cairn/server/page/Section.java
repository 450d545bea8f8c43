package dev.cairn.server.page;

import dev.cairn.server.page.Facts.Fact;
import java.util.List;

/** A part of a page. */
public sealed interface Section
    permits Section.Tiles,
        Facts,
        Table,
        Timeline,
        Section.TextBlock,
        Section.Notice,
        Figure,
        ActionForm {
  /** A sentence that readers must not miss. */
  record Notice(Level level, String text) implements Section {}

  /**
   * Key numbers in large type.
   *
   * @param id its name in JSON
   */
  record Tiles(String id, List<Fact> tiles) implements Section {
    /** Copies the tiles and checks the id. */
    public Tiles {
      Ids.check(id);
      tiles = List.copyOf(tiles);
    }
  }

  /**
   * Lines of text as they are: a stack dump, a part of a log.
   *
   * @param id its name in JSON
   * @param title its heading
   */
  record TextBlock(String id, String title, String text) implements Section {
    /** Checks the id. */
    public TextBlock {
      Ids.check(id);
    }
  }
}
