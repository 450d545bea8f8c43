package dev.cairn.shell.run;

import dev.cairn.shell.output.Output;
import dev.cairn.shell.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints the list of commands and their help. */
final class Help {
  private final CommandTable commands;
  private final Output output;

  Help(CommandTable commands, Output output) {
    this.commands = commands;
    this.output = output;
  }

  /** Prints help on a command or group if named, otherwise on all. */
  void print(List<Value> arguments) {
    if (arguments.isEmpty()) {
      overview();
      return;
    }
    String name = Conversions.letters(arguments.get(0), "help");
    Optional<Command> command = commands.find(name);
    Optional<Group> group =
        Stream.of(Group.values()).filter(g -> g.title().equals(name)).findFirst();
    if (command.isPresent()) {
      print(command.get());
    } else if (group.isPresent()) {
      for (Command member : commands.commandsOf(group.get())) {
        output.line("Command: " + member.name());
        print(member);
      }
    } else {
      output.line("There is no command and no group " + name + ".");
      overview();
    }
  }

  private void print(Command command) {
    command.purpose().lines().forEach(output::line);
    if (!command.options().isEmpty()) {
      output.line("Options: " + String.join(", ", command.options()));
    }
    if (!command.examples().isEmpty()) {
      output.line("");
      command.examples().forEach(example -> output.line("  hbase> " + example));
    }
    output.line("");
  }

  private void overview() {
    output.line("help 'COMMAND' explains a command, help 'GROUP' all commands of a group.");
    output.line("");
    output.line("COMMAND GROUPS:");
    for (Group group : Group.values()) {
      List<Command> members = commands.commandsOf(group);
      if (!members.isEmpty()) {
        output.line("  Group name: " + group.title());
        output.line(
            "  Commands: " + members.stream().map(Command::name).collect(Collectors.joining(", ")));
        output.line("");
      }
    }
    output.line(
        "Names of tables, rows and columns are texts in quotes; commas separate arguments.");
    output.line("Options are a hash: {NAME => 'f', VERSIONS => 3}; the braces may be left out.");
    output.line("Double quotes take binary values: get 't', \"key\\x03\\xcd\".");
    output.line("t = get_table 't' makes a reference: t.put 'r', 'f:q', 'v'; t.scan.");
    output.line("Loops: (1..9).each { |i| put 't', \"row#{i}\", 'f:q', i }; 9.times { ... }.");
    output.line("debug prints the causes of errors, until it is called again.");
    output.line("exit leaves the shell; exit 3 with that status.");
  }
}
