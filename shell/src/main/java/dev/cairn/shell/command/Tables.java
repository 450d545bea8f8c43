package dev.cairn.shell.command;

import dev.cairn.shell.output.Output.Rows;
import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.filter.ParseFilter;

/** The commands that list, enable, disable, empty and drop tables. */
final class Tables {
  private Tables() {}

  static void declare(Declarations ddl) {
    ddl.add(
            "list",
            0,
            1,
            "Lists tables, or those whose names match a regular expression.",
            Tables::list,
            "list",
            "list 'abc.*'",
            "list 'ns:abc.*'",
            "list.each { |t| disable t }")
        .add("exists", 1, 1, "Tells whether a table exists.", Tables::exists, "exists 't1'")
        .add(
            "is_enabled",
            1,
            1,
            "Tells whether a table is enabled.",
            (session, arguments) ->
                answer(session, session.admin().isTableEnabled(Names.table(arguments))),
            "is_enabled 't1'")
        .add(
            "is_disabled",
            1,
            1,
            "Tells whether a table is disabled.",
            (session, arguments) ->
                answer(session, session.admin().isTableDisabled(Names.table(arguments))),
            "is_disabled 't1'")
        .add("enable", 1, 1, "Enables a table.", Tables::enable, "enable 't1'")
        .add(
            "disable",
            1,
            1,
            "Disables a table: its regions close, and it can be dropped.",
            Tables::disable,
            "disable 't1'")
        .add(
            "drop",
            1,
            1,
            "Removes a table and its data; it must be disabled before.",
            Tables::drop,
            "disable 't1'; drop 't1'")
        .add(
            "enable_all",
            1,
            1,
            "Enables the tables whose names match a regular expression, after confirmation.",
            (session, arguments) ->
                all(session, arguments, "Enable", "enabled", Admin::enableTable),
            "enable_all 't.*'")
        .add(
            "disable_all",
            1,
            1,
            "Disables the tables whose names match a regular expression, after confirmation.",
            (session, arguments) ->
                all(session, arguments, "Disable", "disabled", Admin::disableTable),
            "disable_all 't.*'",
            "disable_all 'ns:.*'")
        .add(
            "drop_all",
            1,
            1,
            "Drops the disabled tables whose names match a regular expression, after confirmation.",
            (session, arguments) -> all(session, arguments, "Drop", "dropped", Admin::deleteTable),
            "drop_all 't.*'")
        .add(
            "list_enabled_tables",
            0,
            0,
            "Lists the tables that are enabled.",
            (session, arguments) -> listed(session, session.admin().listTableNamesByState(true)),
            "list_enabled_tables")
        .add(
            "list_disabled_tables",
            0,
            0,
            "Lists the tables that are disabled.",
            (session, arguments) -> listed(session, session.admin().listTableNamesByState(false)),
            "list_disabled_tables")
        .add(
            "show_filters",
            0,
            0,
            "Lists the filters of the filter language, for FILTER => \"PrefixFilter('a')\".",
            Tables::filters,
            "show_filters");
  }

  static void declareTruncate(Declarations dml) {
    dml.add(
            "truncate",
            1,
            1,
            "Disables a table, removes its data and its splits, and enables it again.",
            (session, arguments) -> truncate(session, arguments, Splits.REMOVED),
            "truncate 't1'")
        .add(
            "truncate_preserve",
            1,
            1,
            "Disables a table, removes its data but not its splits, and enables it again.",
            (session, arguments) -> truncate(session, arguments, Splits.KEPT),
            "truncate_preserve 't1'");
  }

  private enum Splits {
    KEPT,
    REMOVED
  }

  private static Value answer(Session session, boolean value) {
    session.output().answer(Value.of(value));
    return Value.of(value);
  }

  private static Value list(Session session, Arguments arguments) throws IOException {
    Admin admin = session.admin();
    List<TableName> names =
        arguments.find(0).isEmpty()
            ? Arrays.asList(admin.listTableNames())
            : Arrays.asList(
                admin.listTableNames(
                    Names.pattern(arguments.letters(0, "The pattern"), "The pattern")));
    return listed(session, names);
  }

  private static Value listed(Session session, List<TableName> tables) {
    List<String> names = tables.stream().map(TableName::getNameAsString).toList();
    Rows rows = session.output().table(List.of("TABLE"));
    names.forEach(rows::name);
    session.output().footer(names.size());
    return Value.texts(names);
  }

  private static Value exists(Session session, Arguments arguments) throws IOException {
    TableName name = Names.table(arguments);
    boolean exists = session.admin().tableExists(name);
    session.output().line("Table " + name + (exists ? " does exist" : " does not exist"));
    return Value.of(exists);
  }

  private static Value enable(Session session, Arguments arguments) throws IOException {
    TableName name = Names.table(arguments);
    Schemas.requireExists(session, name);
    if (!session.admin().isTableEnabled(name)) {
      session.admin().enableTable(name);
    }
    return Value.NIL;
  }

  private static Value disable(Session session, Arguments arguments) throws IOException {
    TableName name = Names.table(arguments);
    Schemas.requireExists(session, name);
    if (!session.admin().isTableDisabled(name)) {
      session.admin().disableTable(name);
    }
    return Value.NIL;
  }

  private static Value drop(Session session, Arguments arguments) throws IOException {
    TableName name = Names.table(arguments);
    Schemas.requireExists(session, name);
    if (session.admin().isTableEnabled(name)) {
      throw new ShellException("Table " + name + " is enabled. Disable it first.");
    }
    session.admin().deleteTable(name);
    return Value.NIL;
  }

  private static Value all(
      Session session,
      Arguments arguments,
      String verb,
      String done,
      MatchingTables.TableAction action)
      throws IOException {
    String expression = arguments.letters(0, "The pattern");
    MatchingTables.apply(session, expression, verb, done, action);
    return Value.NIL;
  }

  private static Value truncate(Session session, Arguments arguments, Splits splits)
      throws IOException {
    TableName name = Names.table(arguments);
    session.output().line("Truncating '" + name + "' table (it may take a while):");
    if (!session.admin().isTableDisabled(name)) {
      session.output().line("Disabling table...");
      session.admin().disableTable(name);
    }
    session.output().line("Truncating table...");
    session.admin().truncateTable(name, splits == Splits.KEPT);
    return Value.NIL;
  }

  private static Value filters(Session session, Arguments arguments) {
    List<String> names = List.copyOf(new TreeSet<>(ParseFilter.getAllFilters().keySet()));
    names.forEach(session.output()::line);
    return Value.NIL;
  }
}
