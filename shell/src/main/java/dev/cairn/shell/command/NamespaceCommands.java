package dev.cairn.shell.command;

import dev.cairn.shell.output.Output.Rows;
import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Group;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;

/** The commands of the group namespace. */
final class NamespaceCommands {
  private NamespaceCommands() {}

  static List<Command> all() {
    return new Declarations(Group.NAMESPACE)
        .add(
            "create_namespace",
            1,
            2,
            "Creates a namespace, with properties.",
            NamespaceCommands::create,
            "create_namespace 'ns1'",
            "create_namespace 'ns1', {'hbase.namespace.quota.maxtables' => '5'}")
        .add(
            "alter_namespace",
            2,
            2,
            "Sets a property of a namespace, or unsets the one that NAME names.",
            NamespaceCommands::alter,
            "alter_namespace 'ns1', {METHOD => 'set', 'k' => 'v'}",
            "alter_namespace 'ns1', {METHOD => 'unset', NAME => 'k'}")
        .add(
            "describe_namespace",
            1,
            1,
            "Prints a namespace and its properties.",
            NamespaceCommands::describe,
            "describe_namespace 'ns1'")
        .add(
            "drop_namespace",
            1,
            1,
            "Removes a namespace that has no tables.",
            (session, arguments) -> {
              session.admin().deleteNamespace(name(arguments));
              return Value.NIL;
            },
            "drop_namespace 'ns1'")
        .add(
            "list_namespace",
            0,
            1,
            "Lists namespaces, or those that match a regular expression.",
            NamespaceCommands::list,
            "list_namespace",
            "list_namespace 'abc.*'")
        .add(
            "list_namespace_tables",
            1,
            1,
            "Lists the tables of a namespace.",
            NamespaceCommands::tables,
            "list_namespace_tables 'ns1'")
        .all();
  }

  private static String name(Arguments arguments) {
    return arguments.letters(0, "The namespace");
  }

  private static Value create(Session session, Arguments arguments) throws IOException {
    NamespaceDescriptor.Builder namespace = NamespaceDescriptor.create(name(arguments));
    arguments.options().texts().forEach(namespace::addConfiguration);
    session.admin().createNamespace(namespace.build());
    return Value.NIL;
  }

  private static Value alter(Session session, Arguments arguments) throws IOException {
    Options options = arguments.options();
    String method =
        options
            .letters("METHOD")
            .orElseThrow(() -> new ShellException("METHOD must be 'set' or 'unset'"));
    NamespaceDescriptor.Builder namespace =
        NamespaceDescriptor.create(session.admin().getNamespaceDescriptor(name(arguments)));
    if (method.equals("set")) {
      options.texts().forEach(namespace::addConfiguration);
    } else if (method.equals("unset")) {
      options.list("NAME").forEach(namespace::removeConfiguration);
      options.requireNoMore("alter_namespace");
    } else {
      throw new ShellException("Unknown method: " + method);
    }
    session.admin().modifyNamespace(namespace.build());
    return Value.NIL;
  }

  private static Value describe(Session session, Arguments arguments) throws IOException {
    NamespaceDescriptor namespace = session.admin().getNamespaceDescriptor(name(arguments));
    StringBuilder text = new StringBuilder("{NAME => '" + namespace.getName() + "'");
    new TreeMap<>(namespace.getConfiguration())
        .forEach((key, value) -> text.append(", ").append(key).append(" => '" + value + "'"));
    session.output().table(List.of("DESCRIPTION")).name(text.append("}").toString());
    QuotaText.printOf(session, namespace.getName());
    return Value.NIL;
  }

  private static Value list(Session session, Arguments arguments) throws IOException {
    Pattern pattern =
        Names.pattern(
            arguments.find(0).isEmpty() ? ".*" : arguments.letters(0, "The pattern"),
            "The pattern");
    List<String> names =
        Arrays.stream(session.admin().listNamespaces())
            .filter(name -> pattern.matcher(name).matches())
            .toList();
    Rows rows = session.output().table(List.of("NAMESPACE"));
    names.forEach(rows::name);
    session.output().footer(names.size());
    return Value.NIL;
  }

  private static Value tables(Session session, Arguments arguments) throws IOException {
    String namespace = name(arguments);
    Rows rows = session.output().table(List.of("TABLE"));
    List<String> names =
        Arrays.stream(session.admin().listTableNamesByNamespace(namespace))
            .map(TableName::getQualifierAsString)
            .toList();
    names.forEach(rows::name);
    session.output().footer(names.size());
    return Value.texts(names);
  }
}
