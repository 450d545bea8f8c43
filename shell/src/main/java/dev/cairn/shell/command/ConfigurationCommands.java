package dev.cairn.shell.command;

import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Group;
import dev.cairn.shell.value.Value;
import java.util.List;

/** The commands of the group configuration. */
final class ConfigurationCommands {
  private ConfigurationCommands() {}

  static List<Command> all() {
    return new Declarations(Group.CONFIGURATION)
        .add(
            "update_config",
            1,
            1,
            "Makes a server reload its settings file.",
            (session, arguments) -> {
              session.admin().updateConfiguration(Names.server(arguments.letters(0, "The server")));
              return Value.NIL;
            },
            "update_config 'host1,16020,1700000000000'")
        .add(
            "update_all_config",
            0,
            0,
            "Makes all servers reload their settings files.",
            (session, arguments) -> {
              session.admin().updateConfiguration();
              return Value.NIL;
            },
            "update_all_config")
        .all();
  }
}
