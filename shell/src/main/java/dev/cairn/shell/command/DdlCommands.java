package dev.cairn.shell.command;

import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Group;
import java.util.List;

/** The commands of the group ddl. */
final class DdlCommands {
  private DdlCommands() {}

  static List<Command> all() {
    Declarations ddl = new Declarations(Group.DDL);
    Schemas.declare(ddl);
    Alterations.declare(ddl);
    Tables.declare(ddl);
    Regions.declare(ddl);
    return ddl.all();
  }
}
