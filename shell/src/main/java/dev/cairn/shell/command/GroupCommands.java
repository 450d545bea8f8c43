package dev.cairn.shell.command;

import dev.cairn.server.catalog.Address;
import dev.cairn.server.catalog.GroupMessages;
import dev.cairn.server.catalog.ServerGroup;
import dev.cairn.shell.output.Output.Rows;
import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.Group;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;

/** The commands of the group rsgroup: groups of region servers. */
final class GroupCommands {
  private GroupCommands() {}

  static List<Command> all() {
    Declarations groups = new Declarations(Group.RSGROUP);
    queries(groups);
    changes(groups);
    moves(groups);
    configuration(groups);
    return groups.all();
  }

  private static void queries(Declarations groups) {
    groups
        .add(
            "list_rsgroups",
            0,
            1,
            "Lists groups of region servers with their members, or those that match a regular"
                + " expression.",
            GroupCommands::list,
            "list_rsgroups",
            "list_rsgroups 'abc.*'")
        .add(
            "get_rsgroup",
            1,
            1,
            "Prints the servers and tables of a group.",
            GroupCommands::get,
            "get_rsgroup 'default'")
        .add(
            "get_server_rsgroup",
            1,
            1,
            "Prints the group of a server.",
            (session, arguments) -> {
              String server = arguments.letters(0, "The server");
              return printed(
                  session,
                  new GroupService(session)
                      .of(address(server))
                      .orElseThrow(() -> new ShellException("Server has no group: " + server))
                      .name());
            },
            "get_server_rsgroup 'server1:port1'")
        .add(
            "get_table_rsgroup",
            1,
            1,
            "Prints the group of a table.",
            (session, arguments) -> {
              String table = arguments.letters(0, "The table");
              return printed(
                  session,
                  new GroupService(session)
                      .of(TableName.valueOf(table))
                      .orElseThrow(() -> new ShellException("Table has no group: " + table))
                      .name());
            },
            "get_table_rsgroup 'my_table'")
        .add(
            "get_namespace_rsgroup",
            1,
            1,
            "Prints the group that a namespace names.",
            GroupCommands::ofNamespace,
            "get_namespace_rsgroup 'namespace_name'");
  }

  private static void changes(Declarations groups) {
    groups
        .add(
            "add_rsgroup",
            1,
            1,
            "Makes a new group.",
            (session, arguments) -> {
              new GroupService(session).change("AddRSGroup", group(arguments));
              return Value.NIL;
            },
            "add_rsgroup 'my_group'")
        .add(
            "remove_rsgroup",
            1,
            1,
            "Removes a group that has no servers and no tables.",
            (session, arguments) -> {
              new GroupService(session).change("RemoveRSGroup", group(arguments));
              return Value.NIL;
            },
            "remove_rsgroup 'my_group'")
        .add(
            "rename_rsgroup",
            2,
            2,
            "Gives a group another name.",
            (session, arguments) -> {
              new GroupService(session)
                  .rename(group(arguments), arguments.letters(1, "The new name"));
              return Value.NIL;
            },
            "rename_rsgroup 'old_rsgroup_name', 'new_rsgroup_name'")
        .add(
            "remove_servers_rsgroup",
            1,
            1,
            "Removes servers from their groups that are neither alive nor among the dead servers.",
            (session, arguments) -> {
              new GroupService(session).removeServers(addresses(arguments.get(0)));
              return Value.NIL;
            },
            "remove_servers_rsgroup ['server1:port','server2:port']")
        .add(
            "balance_rsgroup",
            1,
            3,
            "Moves the regions of a group's tables to the servers of the group, with equal shares;"
                + " tells whether it ran. 'ignore_rit' runs it beside regions in transition,"
                + " 'dry_run' moves nothing.",
            GroupCommands::balance,
            "balance_rsgroup 'my_group'",
            "balance_rsgroup 'my_group', 'ignore_rit'",
            "balance_rsgroup 'my_group', 'dry_run', 'ignore_rit'");
  }

  private static void moves(Declarations groups) {
    groups
        .add(
            "move_servers_rsgroup",
            2,
            2,
            "Moves servers to a group, and regions of other groups away from them.",
            (session, arguments) -> {
              new GroupService(session).moveServers(group(arguments), addresses(arguments.get(1)));
              return Value.NIL;
            },
            "move_servers_rsgroup 'dest',['server1:port','server2:port']")
        .add(
            "move_tables_rsgroup",
            2,
            2,
            "Moves tables to a group, with their regions.",
            (session, arguments) -> {
              new GroupService(session).moveTables(group(arguments), tables(arguments.get(1)));
              return Value.NIL;
            },
            "move_tables_rsgroup 'dest',['table1','table2']")
        .add(
            "move_namespaces_rsgroup",
            2,
            2,
            "Moves the tables of namespaces to a group, which the namespaces name from then on.",
            GroupCommands::moveNamespaces,
            "move_namespaces_rsgroup 'dest',['ns1','ns2']")
        .add(
            "move_servers_tables_rsgroup",
            3,
            3,
            "Moves servers and tables of one group to another one.",
            (session, arguments) -> {
              new GroupService(session)
                  .move(group(arguments), addresses(arguments.get(1)), tables(arguments.get(2)));
              return Value.NIL;
            },
            "move_servers_tables_rsgroup"
                + " 'dest',['server1:port','server2:port'],['table1','table2']")
        .add(
            "move_servers_namespaces_rsgroup",
            3,
            3,
            "Moves servers, and the tables of namespaces, of one group to another one.",
            (session, arguments) -> {
              new GroupService(session)
                  .move(
                      group(arguments),
                      addresses(arguments.get(1)),
                      tablesOf(session, texts(arguments.get(2), "A namespace")));
              return Value.NIL;
            },
            "move_servers_namespaces_rsgroup"
                + " 'dest',['server1:port','server2:port'],['ns1','ns2']");
  }

  private static void configuration(Declarations groups) {
    groups
        .add(
            "alter_rsgroup_config",
            2,
            Command.ANY,
            "Sets properties of a group, or unsets the one that NAME names.",
            GroupCommands::alter,
            "alter_rsgroup_config 'grp1', {METHOD => 'set', 'PROPERTY_NAME' => 'PROPERTY_VALUE'}",
            "alter_rsgroup_config 'grp1', {METHOD => 'unset', NAME => 'PROPERTY_NAME'}")
        .add(
            "show_rsgroup_config",
            1,
            1,
            "Prints the properties of a group.",
            GroupCommands::show,
            "show_rsgroup_config 'group'")
        .add(
            "update_rsgroup_config",
            1,
            1,
            "Has the servers of a group read their hbase-site.xml again.",
            GroupCommands::update,
            "update_rsgroup_config 'group'");
  }

  private static String group(Arguments arguments) {
    return arguments.letters(0, "The group");
  }

  private static Value printed(Session session, String name) {
    session.output().table(List.of()).name(name);
    session.output().footer(1);
    return Value.NIL;
  }

  private static Value list(Session session, Arguments arguments) throws IOException {
    Pattern pattern =
        Names.pattern(
            arguments.find(0).isEmpty() ? ".*" : arguments.letters(0, "The pattern"),
            "The pattern");
    List<ServerGroup> groups =
        new GroupService(session)
            .all().stream().filter(group -> pattern.matcher(group.name()).find()).toList();
    Rows rows = session.output().table(List.of("NAME", "SERVER / TABLE"));
    for (ServerGroup group : groups) {
      List<String> members = new ArrayList<>();
      group.servers().forEach(server -> members.add("server " + server));
      tables(group).forEach(table -> members.add("table " + table));
      if (members.isEmpty()) {
        members.add("");
      }
      String name = group.name();
      for (String member : members) {
        rows.add(List.of(name, member));
        name = "";
      }
    }
    session.output().footer(groups.size());
    return Value.NIL;
  }

  private static Value get(Session session, Arguments arguments) throws IOException {
    ServerGroup group = new GroupService(session).require(group(arguments));
    Rows servers = session.output().table(List.of("SERVERS"));
    group.servers().forEach(server -> servers.name(server.toString()));
    session.output().footer(group.servers().size());
    Rows tables = session.output().table(List.of("TABLES"));
    List<String> names = tables(group);
    names.forEach(tables::name);
    session.output().footer(names.size());
    return Value.NIL;
  }

  /** Returns the names of a group's tables in the order of HBase's client. */
  private static List<String> tables(ServerGroup group) {
    return group.tableNames().stream()
        .map(TableName::valueOf)
        .sorted()
        .map(TableName::getNameAsString)
        .toList();
  }

  private static Value ofNamespace(Session session, Arguments arguments) throws IOException {
    String group =
        session
            .admin()
            .getNamespaceDescriptor(arguments.letters(0, "The namespace"))
            .getConfigurationValue(ServerGroup.PROPERTY);
    if (group == null) {
      session.output().footer(1);
      return Value.NIL;
    }
    return printed(session, group);
  }

  private static Value balance(Session session, Arguments arguments) throws IOException {
    boolean ignoreRit = false;
    boolean dryRun = false;
    for (String mode : arguments.names(1, "The mode")) {
      switch (mode) {
        case "ignore_rit" -> ignoreRit = true;
        case "dry_run" -> dryRun = true;
        default ->
            throw new ShellException(
                "balance_rsgroup takes 'ignore_rit' and 'dry_run', not " + mode);
      }
    }
    GroupMessages.Reader response =
        new GroupService(session).balance(group(arguments), ignoreRit, dryRun);
    boolean ran = response.flag("balanceRan");
    Rows rows = session.output().table(List.of());
    if (ran) {
      rows.name("Balancer ran");
      rows.name(
          "Moves calculated: %d, moves executed: %d"
              .formatted(response.number("moves_calculated"), response.number("moves_executed")));
    } else {
      rows.name("Balancer did not run. See logs for details.");
    }
    return Value.of(ran);
  }

  private static Value moveNamespaces(Session session, Arguments arguments) throws IOException {
    List<String> namespaces = texts(arguments.get(1), "A namespace");
    new GroupService(session).moveTables(group(arguments), tablesOf(session, namespaces));
    for (String namespace : namespaces) {
      session
          .admin()
          .modifyNamespace(
              NamespaceDescriptor.create(session.admin().getNamespaceDescriptor(namespace))
                  .addConfiguration(ServerGroup.PROPERTY, group(arguments))
                  .build());
    }
    return Value.NIL;
  }

  private static Value alter(Session session, Arguments arguments) throws IOException {
    GroupService service = new GroupService(session);
    Map<String, String> settings = new HashMap<>(service.require(group(arguments)).configuration());
    for (Value change : arguments.flat(1)) {
      Options options = Conversions.hash(change, "The change");
      String method =
          options
              .letters("METHOD")
              .orElseThrow(() -> new ShellException("METHOD must be 'set' or 'unset'"));
      switch (method) {
        case "set" -> settings.putAll(options.texts());
        case "unset" -> {
          options.list("NAME").forEach(settings::remove);
          options.requireNoMore("alter_rsgroup_config");
        }
        default -> throw new ShellException("Unknown method " + method);
      }
    }
    service.configure(group(arguments), settings);
    return Value.NIL;
  }

  private static Value show(Session session, Arguments arguments) throws IOException {
    Map<String, String> settings =
        new TreeMap<>(new GroupService(session).require(group(arguments)).configuration());
    Rows rows = session.output().table(List.of("KEY", "VALUE"));
    settings.forEach((key, value) -> rows.add(List.of(key, value)));
    session.output().footer(settings.size());
    return Value.NIL;
  }

  private static Value update(Session session, Arguments arguments) throws IOException {
    ServerGroup group = new GroupService(session).require(group(arguments));
    for (ServerName server : session.admin().getRegionServers()) {
      if (group.servers().contains(new Address(server.getHostname(), server.getPort()))) {
        session.admin().updateConfiguration(server);
      }
    }
    return Value.NIL;
  }

  private static Address address(String text) {
    org.apache.hadoop.hbase.net.Address address =
        org.apache.hadoop.hbase.net.Address.fromString(text);
    return new Address(address.getHostName(), address.getPort());
  }

  private static List<Address> addresses(Value value) {
    return texts(value, "A server").stream().map(GroupCommands::address).toList();
  }

  private static List<TableName> tables(Value value) {
    return texts(value, "A table").stream().map(TableName::valueOf).toList();
  }

  private static List<TableName> tablesOf(Session session, List<String> namespaces)
      throws IOException {
    List<TableName> tables = new ArrayList<>();
    for (String namespace : namespaces) {
      try {
        session.admin().getNamespaceDescriptor(namespace);
      } catch (NamespaceNotFoundException e) {
        throw new ShellException("Can't find a namespace: " + namespace, e);
      }
      tables.addAll(List.of(session.admin().listTableNamesByNamespace(namespace)));
    }
    return tables;
  }

  private static List<String> texts(Value value, String what) {
    return Conversions.list(value).stream().map(one -> Conversions.letters(one, what)).toList();
  }
}
