package dev.cairn.shell.command;

import dev.cairn.shell.run.CommandTable;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All commands of the shell, and the constants of its language. */
public final class CommandSet {
  /** Constants that are values of options. */
  private static final Set<String> VALUES =
      Set.of(
          "THROTTLE",
          "SPACE",
          "NONE",
          "GLOBAL_BYPASS",
          "REQUEST_NUMBER",
          "REQUEST_SIZE",
          "WRITE_NUMBER",
          "WRITE_SIZE",
          "READ_NUMBER",
          "READ_SIZE",
          "READ",
          "WRITE",
          "CLUSTER",
          "MACHINE",
          "ROW",
          "ROWCOL",
          "ROWPREFIX_FIXED_LENGTH",
          "NO_INSERTS",
          "NO_WRITES",
          "NO_WRITES_COMPACTIONS",
          "DISABLE",
          "FOREVER",
          "SNAPPY",
          "GZ",
          "LZO",
          "LZ4",
          "ZSTD",
          "BZIP2",
          "CLASSNAME");

  private CommandSet() {}

  /** Returns all commands. */
  public static CommandTable commands() {
    return new CommandTable(
        Stream.of(
                GeneralCommands.all(),
                DdlCommands.all(),
                NamespaceCommands.all(),
                DmlCommands.all(),
                ToolCommands.all(),
                ConfigurationCommands.all(),
                QuotaCommands.all(),
                ProcedureCommands.all(),
                LaterCommands.all())
            .flatMap(List::stream)
            .toList());
  }

  /** Returns the names that stand for themselves: the options of all commands, and values. */
  public static Set<String> constants(CommandTable commands) {
    Set<String> constants = new HashSet<>(VALUES);
    commands
        .names()
        .forEach(
            name -> commands.find(name).ifPresent(command -> constants.addAll(command.options())));
    return constants;
  }
}
