package dev.cairn.shell.command;

import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Group;
import java.util.List;

/** The commands of the group tools. */
final class ToolCommands {
  private ToolCommands() {}

  static List<Command> all() {
    Declarations tools = new Declarations(Group.TOOLS);
    RegionTools.declare(tools);
    AssignmentTools.declare(tools);
    ServerTools.declare(tools);
    Switches.declare(tools);
    LogTools.declare(tools);
    DiagnosticTools.declare(tools);
    return tools.all();
  }
}
