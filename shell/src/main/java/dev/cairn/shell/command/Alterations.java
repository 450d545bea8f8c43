package dev.cairn.shell.command;

import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** The commands {@code alter}, {@code alter_async} and {@code alter_status}. */
final class Alterations {
  private static final long POLL_MILLIS = 100;

  private Alterations() {}

  static void declare(Declarations ddl) {
    List<String> options =
        Stream.of(List.of("METHOD", "CLASSNAME"), FamilyOptions.NAMES, TableOptions.NAMES)
            .flatMap(List::stream)
            .distinct()
            .toList();
    ddl.add(
            "alter",
            2,
            Command.ANY,
            "Adds and changes column families, and sets the attributes of a table. METHOD removes:"
                + " 'delete' a family; 'table_att_unset' and 'table_conf_unset' what NAME names of the"
                + " table; 'table_remove_coprocessor' the coprocessor that CLASSNAME names. A"
                + " coprocessor is added as 'jar|class|priority|key=value,...'. Waits until all"
                + " regions have the new schema.",
            (session, arguments) -> apply(session, changed(session, arguments)),
            "alter 't1', NAME => 'f1', VERSIONS => 5",
            "alter 't1', 'f1', {NAME => 'f2', IN_MEMORY => true}",
            "alter 't1', NAME => 'f1', METHOD => 'delete'",
            "alter 't1', 'delete' => 'f1'",
            "alter 't1', MAX_FILESIZE => '10 GB'",
            "alter 't1', CONSTRAINTS => {'f1:age' => 'type long; not null', 'f1:name' => ''}",
            "alter 't1', METHOD => 'table_att_unset', NAME => 'MAX_FILESIZE'",
            "alter 't1', METHOD => 'table_att', 'coprocessor' => '/jars/x.jar|org.x.Y|1001|k=v'",
            "alter 't1', METHOD => 'table_remove_coprocessor', CLASSNAME => 'org.x.Y'")
        .with(options)
        .add(
            "alter_async",
            2,
            Command.ANY,
            "As alter, without waiting; alter_status shows the progress.",
            (session, arguments) -> {
              session.admin().modifyTableAsync(changed(session, arguments));
              return Value.NIL;
            },
            "alter_async 't1', NAME => 'f1', VERSIONS => 5")
        .with(options)
        .add(
            "alter_status",
            1,
            1,
            "Waits until all regions of a table have its schema, and prints how many have.",
            (session, arguments) -> await(session, Names.table(arguments)),
            "alter_status 't1'");
  }

  /** Sets the schema of a table, and waits until all regions have it. */
  static Value apply(Session session, TableDescriptor table) throws IOException {
    session.output().line("Updating all regions with the new schema...");
    session.admin().modifyTable(table);
    return await(session, table.getTableName());
  }

  @SuppressWarnings(
      "deprecation") // HBase 2 has no other call that counts the regions with the new schema
  private static Value await(Session session, TableName table) throws IOException {
    while (true) {
      Pair<Integer, Integer> status = session.admin().getAlterStatus(table);
      int left = status.getFirst();
      int all = status.getSecond();
      session.output().line((all - left) + "/" + all + " regions updated.");
      if (left == 0) {
        session.output().line("Done.");
        return Value.NIL;
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        Interrupts.check();
      }
    }
  }

  /** Applies the changes of all arguments to a table's schema, to be set in one step. */
  private static TableDescriptor changed(Session session, Arguments arguments) throws IOException {
    TableName name = Names.table(arguments);
    if (!session.admin().tableExists(name)) {
      throw new ShellException("Can't find a table: " + name);
    }
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(session.admin().getDescriptor(name));
    for (Value value : arguments.flat(1)) {
      Value.Hash hash =
          value instanceof Value.Hash given
              ? given
              : new Value.Hash(
                  Map.of(Text.of("NAME"), Text.of(Conversions.letters(value, "A column family"))));
      change(table, new Options(hash));
    }
    return table.build();
  }

  private static void change(TableDescriptorBuilder table, Options options) {
    options
        .bytes("delete")
        .ifPresent(family -> table.removeColumnFamily(existing(table, family).getName()));
    String method = options.letters("METHOD").orElse("");
    switch (method) {
      case "", "table_att", "change" -> set(table, options);
      case "delete" -> table.removeColumnFamily(existing(table, requiredName(options)).getName());
      case "table_att_unset" ->
          options.list("NAME").forEach(name -> remove(table, TableOptions.key(name), "attribute"));
      case "table_conf_unset" ->
          options.list("NAME").forEach(name -> remove(table, name, "configuration"));
      case "table_remove_coprocessor" ->
          options.list("CLASSNAME").forEach(table::removeCoprocessor);
      default -> throw new ShellException("Unknown method: " + method);
    }
    TableOptions.requireNoMore(options, "alter");
  }

  private static byte[] requiredName(Options options) {
    return options
        .bytes("NAME")
        .orElseThrow(() -> new ShellException("NAME must be the name of a column family"));
  }

  private static void remove(TableDescriptorBuilder table, String name, String kind) {
    if (table.getValue(name) == null) {
      throw new ShellException("Could not find " + kind + ": " + name);
    }
    table.removeValue(name);
  }

  private static void set(TableDescriptorBuilder table, Options options) {
    if (!options.has("NAME")) {
      TableOptions.apply(table, options);
      return;
    }
    byte[] name = requiredName(options);
    ColumnFamilyDescriptor old = table.build().getColumnFamily(name);
    if (old == null) {
      table.setColumnFamily(FamilyOptions.apply(Schemas.builder(name), options));
    } else {
      table.modifyColumnFamily(
          FamilyOptions.apply(ColumnFamilyDescriptorBuilder.newBuilder(old), options));
    }
  }

  private static ColumnFamilyDescriptor existing(TableDescriptorBuilder table, byte[] family) {
    ColumnFamilyDescriptor found = table.build().getColumnFamily(family);
    if (found == null) {
      throw new ShellException("Family '" + Bytes.toStringBinary(family) + "' does not exist");
    }
    return found;
  }
}
