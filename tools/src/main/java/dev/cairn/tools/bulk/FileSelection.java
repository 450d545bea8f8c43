package dev.cairn.tools.bulk;

import dev.cairn.tools.bulk.format.RowFormat.RowReader;
import java.io.IOException;

/**
 * Selects the cells of files that a job writes into a table, and renames their families.
 *
 * @param cells the selected cells, by their names in the files; versions are not counted
 * @param renames the new names of families
 */
public record FileSelection(Selection cells, FamilyRenames renames) {
  /** Tells whether all cells are selected, under their own names. */
  boolean isEverything() {
    return cells.isEverything() && renames.isEmpty();
  }

  /** Returns a reader of the selected cells, which closes {@code all}. */
  RowReader select(RowReader all) throws IOException {
    return isEverything() ? all : new SelectedRows(all, this);
  }

  /** Returns a line that identifies this selection; empty for everything. */
  String description() {
    return isEverything() ? "" : ", " + cells.description() + renames.description();
  }
}
