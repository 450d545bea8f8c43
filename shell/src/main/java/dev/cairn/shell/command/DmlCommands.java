package dev.cairn.shell.command;

import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Group;
import java.util.List;

/** The commands of the group dml. */
final class DmlCommands {
  private DmlCommands() {}

  static List<Command> all() {
    Declarations dml = new Declarations(Group.DML);
    Reads.declare(dml);
    Writes.declare(dml);
    Tables.declareTruncate(dml);
    return dml.all();
  }
}
