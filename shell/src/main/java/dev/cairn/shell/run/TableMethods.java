package dev.cairn.shell.run;

import java.util.Optional;
import java.util.Set;

/** The commands that can be called on a table: those whose first argument is its name, and help. */
public final class TableMethods {
  /** Their names. */
  public static final Set<String> NAMES =
      Set.of(
          "append",
          "count",
          "delete",
          "deleteall",
          "describe",
          "desc",
          "disable",
          "drop",
          "enable",
          "flush",
          "get",
          "get_counter",
          "get_splits",
          "help",
          "incr",
          "put",
          "scan",
          "alter",
          "truncate",
          "compact",
          "major_compact",
          "split",
          "list_regions");

  private TableMethods() {}

  static Optional<Command> find(CommandTable commands, String name) {
    return NAMES.contains(name) ? commands.find(name) : Optional.empty();
  }
}
