package dev.cairn.server.page;

import java.util.List;

/**
 * Key numbers in large type.
 *
 * @param id its name in JSON
 */
public record Tiles(String id, List<Fact> tiles) implements Section {
  /** Copies the tiles and checks the id. */
  public Tiles {
    Ids.check(id);
    tiles = List.copyOf(tiles);
  }
}
