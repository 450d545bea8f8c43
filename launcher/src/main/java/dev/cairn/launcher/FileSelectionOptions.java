package dev.cairn.launcher;

import dev.cairn.tools.bulk.FileSelection;
import picocli.CommandLine.Mixin;

/** The options that select cells of files, in all versions, and rename their families. */
final class FileSelectionOptions extends CellOptions {
  @Mixin private RenameOptions renames;

  FileSelection selection() {
    return new FileSelection(selection(Integer.MAX_VALUE, true), renames.renames());
  }
}
