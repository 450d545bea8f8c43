package dev.cairn.shell.command;

import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Group;
import java.util.ArrayList;
import java.util.List;

/** Collects the commands of a group. */
final class Declarations {
  private final Group group;
  private final List<Command> commands = new ArrayList<>();

  Declarations(Group group) {
    this.group = group;
  }

  /**
   * Adds a command.
   *
   * @param least the minimum number of arguments
   * @param most the maximum number of arguments
   * @param purpose the help text
   * @param examples statements that call it
   */
  Declarations add(
      String name, int least, int most, String purpose, Command.Action action, String... examples) {
    commands.add(
        new Command(name, group, least, most, List.of(), purpose, List.of(examples), action));
    return this;
  }

  /** Gives the last command the constants that its hashes may have. */
  Declarations with(List<String> options) {
    int last = commands.size() - 1;
    commands.set(last, commands.get(last).with(options.toArray(String[]::new)));
    return this;
  }

  /** Adds the last command again under another name. */
  Declarations alias(String name) {
    commands.add(commands.get(commands.size() - 1).named(name));
    return this;
  }

  List<Command> all() {
    return commands;
  }
}
