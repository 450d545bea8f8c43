package dev.cairn.shell.command;

import dev.cairn.shell.output.Output.Rows;
import dev.cairn.shell.run.Arguments;
import dev.cairn.shell.run.Command;
import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.run.Options;
import dev.cairn.shell.run.Session;
import dev.cairn.shell.run.ShellException;
import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** The commands of the group ddl that create, show and copy schemas. */
final class Schemas {
  private Schemas() {}

  static void declare(Declarations ddl) {
    ddl.add(
            "create",
            1,
            Command.ANY,
            "Creates a table: its name, its column families as names or hashes, and hashes of the"
                + " table's own attributes. SPLITS, SPLITS_FILE or NUMREGIONS with SPLITALGO split it"
                + " at once. Returns a reference to the table.",
            Schemas::create,
            "create 't1', 'f1', 'f2'",
            "create 't1', {NAME => 'f1', VERSIONS => 5, TTL => '7 DAYS', COMPRESSION => 'SNAPPY'}",
            "create 't1', 'f1', SPLITS => ['10', '20', '30']",
            "create 't1', 'f1', {NUMREGIONS => 15, SPLITALGO => 'HexStringSplit'}",
            "create 't1', {NAME => 'f1'}, MAX_FILESIZE => '10 GB', CONFIGURATION => {'k' => 'v'}",
            "create 't1', 'f1', CONSTRAINTS => {'f1:age' => 'type long; range 0..150'}",
            "t = create 't1', 'f1'")
        .with(
            Stream.of(FamilyOptions.NAMES, SplitKeys.NAMES, TableOptions.NAMES)
                .flatMap(List::stream)
                .distinct()
                .toList())
        .add(
            "describe",
            1,
            1,
            "Prints whether a table is enabled, its attributes and its column families.",
            Schemas::describe,
            "describe 't1'",
            "t1.describe")
        .alias("desc")
        .add(
            "get_table",
            1,
            1,
            "Returns a reference to a table, for commands such as t.put and t.scan.",
            (session, arguments) -> reference(Names.table(arguments)),
            "t = get_table 't1'",
            "t.put 'r', 'f:q', 'v'")
        .add(
            "clone_table_schema",
            2,
            3,
            "Creates an empty table like another one; false leaves out the splits.",
            Schemas::cloneSchema,
            "clone_table_schema 't1', 't2'",
            "clone_table_schema 't1', 't2', false");
  }

  static Value reference(TableName table) {
    return new Value.TableReference(table.getNameAsString());
  }

  /** Refuses a table that does not exist. */
  static void requireExists(Session session, TableName table) throws IOException {
    if (!session.admin().tableExists(table)) {
      throw new ShellException("Table " + table + " does not exist.");
    }
  }

  private static Value create(Session session, Arguments arguments) throws IOException {
    TableName name = Names.table(arguments);
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    List<byte[]> splits = new ArrayList<>();
    List<String> families = new ArrayList<>();
    for (Value value : arguments.flat(1)) {
      if (value instanceof Value.Hash hash) {
        Options options = new Options(hash);
        splits.addAll(SplitKeys.take(options));
        if (options.has("NAME") || options.has("COLUMN")) {
          ColumnFamilyDescriptor family = newFamily(options);
          replace(session, table, families, family);
        } else {
          requireTableAttributes(options.letters("METHOD"));
          TableOptions.apply(table, options);
          TableOptions.requireNoMore(options, "The table " + name);
        }
      } else {
        String family = Conversions.letters(value, "A column family");
        replace(session, table, families, newFamily(new Options(named(family))));
      }
    }
    if (families.isEmpty()) {
      throw new ShellException("Table must have at least one column family");
    }
    if (splits.isEmpty()) {
      session.admin().createTable(table.build());
    } else {
      session.admin().createTable(table.build(), splits.toArray(byte[][]::new));
    }
    session.output().line("Created table " + name);
    return reference(name);
  }

  /** Accepts only METHOD => 'table_att', which scripts for early versions of HBase contain. */
  private static void requireTableAttributes(Optional<String> method) {
    if (method.filter(name -> !name.equals("table_att")).isPresent()) {
      throw new ShellException("table_att is the only METHOD of create, not " + method.get());
    }
  }

  private static Value.Hash named(String family) {
    return new Value.Hash(Map.of(Text.of("NAME"), Text.of(family)));
  }

  private static ColumnFamilyDescriptor newFamily(Options options) {
    byte[] name =
        options
            .bytes("NAME")
            .or(() -> options.bytes("COLUMN"))
            .orElseThrow(() -> new ShellException("NAME must be the name of a column family"));
    return FamilyOptions.apply(builder(name), options);
  }

  /** Returns a family with HBase's defaults. */
  static ColumnFamilyDescriptorBuilder builder(byte[] name) {
    try {
      return ColumnFamilyDescriptorBuilder.newBuilder(name);
    } catch (IllegalArgumentException e) {
      throw new ShellException("The name of a column family: " + e.getMessage(), e);
    }
  }

  private static void replace(
      Session session,
      TableDescriptorBuilder table,
      List<String> families,
      ColumnFamilyDescriptor family) {
    if (families.contains(family.getNameAsString())) {
      session
          .output()
          .line(
              "Family '"
                  + family.getNameAsString()
                  + "' already exists, the old one will be replaced");
      table.modifyColumnFamily(family);
    } else {
      families.add(family.getNameAsString());
      table.setColumnFamily(family);
    }
  }

  private static Value describe(Session session, Arguments arguments) throws IOException {
    TableName name = Names.table(arguments);
    requireExists(session, name);
    TableDescriptor table = session.admin().getDescriptor(name);
    boolean enabled = session.admin().isTableEnabled(name);
    Rows head = session.output().table(List.of());
    head.names(
        List.of(
            "Table " + name + " is " + (enabled ? "ENABLED" : "DISABLED"), SchemaText.of(table)),
        SchemaFields.of(table, enabled ? "ENABLED" : "DISABLED"));
    Rows rows = session.output().table(List.of("COLUMN FAMILIES DESCRIPTION"));
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      rows.names(List.of(family.toString()), SchemaFields.of(family));
      session.output().line("");
    }
    session.output().footer(table.getColumnFamilyCount());
    QuotaText.printOf(session, name);
    return Value.NIL;
  }

  private static Value cloneSchema(Session session, Arguments arguments) throws IOException {
    boolean splits = arguments.find(2).isEmpty() || arguments.bool(2, "Whether to keep the splits");
    session.admin().cloneTableSchema(Names.table(arguments), Names.table(arguments.get(1)), splits);
    return Value.NIL;
  }
}
