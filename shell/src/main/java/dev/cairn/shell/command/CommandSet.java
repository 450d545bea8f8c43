package dev.cairn.shell.command;

import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.CommandTable;
import dev.cairn.shell.run.Group;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
          "CLASSNAME",
          "VALUE");

  /** Constants whose value is the name of another option. */
  private static final Map<String, String> ALIASES =
      Map.of("STARTKEY", "STARTROW", "ENDKEY", "STOPROW", "ENDROW", "STOPROW");

  /** The most frequent options in scripts; looked up without loading all commands. */
  private static final List<List<String>> OPTIONS =
      List.of(ReadOptions.SCAN, FamilyOptions.NAMES, TableOptions.NAMES, SplitKeys.NAMES);

  private CommandSet() {}

  /** Returns all commands. */
  public static CommandTable commands() {
    return new CommandTable(
        List.of(
            CommandSet::ddl,
            CommandSet::dml,
            GeneralCommands::all,
            NamespaceCommands::all,
            CommandSet::tools,
            ConfigurationCommands::all,
            QuotaCommands::all,
            ProcedureCommands::all,
            TrackerCommands::all,
            SnapshotCommands::all,
            GroupCommands::all,
            LaterCommands::all));
  }

  private static List<Command> ddl() {
    Declarations ddl = new Declarations(Group.DDL);
    Schemas.declare(ddl);
    Alterations.declare(ddl);
    Indexes.declare(ddl);
    Tables.declare(ddl);
    Regions.declare(ddl);
    return ddl.all();
  }

  private static List<Command> dml() {
    Declarations dml = new Declarations(Group.DML);
    Reads.declare(dml);
    Writes.declare(dml);
    Tables.declareTruncate(dml);
    return dml.all();
  }

  private static List<Command> tools() {
    Declarations tools = new Declarations(Group.TOOLS);
    RegionTools.declare(tools);
    AssignmentTools.declare(tools);
    ServerTools.declare(tools);
    Switches.declare(tools);
    LogTools.declare(tools);
    DiagnosticTools.declare(tools);
    return tools.all();
  }

  /**
   * Returns the value of a constant: its own name, or the option of which it is an alias. Empty if
   * the name is neither an option of a command nor a value of an option.
   */
  public static Optional<String> constant(CommandTable commands, String name) {
    return ALIASES.containsKey(name)
        ? Optional.of(ALIASES.get(name))
        : Optional.of(name).filter(known -> isKnown(commands, known));
  }

  private static boolean isKnown(CommandTable commands, String name) {
    return VALUES.contains(name)
        || OPTIONS.stream().anyMatch(options -> options.contains(name))
        || commands.names().stream()
            .map(commands::find)
            .flatMap(Optional::stream)
            .anyMatch(command -> command.options().contains(name));
  }
}
