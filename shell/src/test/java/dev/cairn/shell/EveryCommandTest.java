package dev.cairn.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.shell.command.CommandSet;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.CommandTable;
import dev.cairn.shell.run.Group;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;

/** Each command is tried by a test, or refused by name. */
class EveryCommandTest {
  private static final Set<Group> LATER =
      Set.of(Group.REPLICATION, Group.SECURITY, Group.VISIBILITY_LABELS);

  private final CommandTable commands = CommandSet.commands();

  @Test
  void eachCommandIsTriedByACaseOrATest() throws IOException {
    String tried = sources();
    for (String name : commands.names()) {
      Command command = commands.find(name).orElseThrow();
      if (!command.purpose().equals("Not supported yet.")) {
        assertThat(Pattern.compile("\\b" + name + "\\b").matcher(tried).find()).as(name).isTrue();
      }
    }
  }

  @Test
  void thePageNamesEachCommand() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "SHELL.md"));
    for (String name : commands.names()) {
      Command command = commands.find(name).orElseThrow();
      if (!command.purpose().equals("Not supported yet.")) {
        assertThat(page).contains("`" + name + "`");
      }
    }
  }

  /** Returns the scripts of all cases, and the classes that run commands. */
  private static String sources() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(Path.of("src", "test"))) {
      List<Path> tests =
          files
              .filter(file -> file.toString().matches(".*(\\.txt|Case.java|CommandsTest\\.java)"))
              .toList();
      for (Path file : tests) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
  }

  @Test
  void commandsOfLaterGroupsAreRefusedByName() throws IOException {
    try (ScriptedShell shell = new ScriptedShell(EveryCommandTest::unreachable, false)) {
      for (Group group : LATER) {
        assertThat(commands.commandsOf(group)).as(group.title()).isNotEmpty();
        for (Command command : commands.commandsOf(group)) {
          assertThat(shell.run(command.name() + " 'x'"))
              .startsWith(
                  "ERROR: "
                      + command.name()
                      + " is not supported yet (group "
                      + group.title()
                      + ")");
        }
      }
    }
  }

  private static Connection unreachable() {
    throw new AssertionError("A refused command needs no server");
  }
}
