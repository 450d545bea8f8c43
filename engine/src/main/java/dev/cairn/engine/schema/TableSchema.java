package dev.cairn.engine.schema;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.constraint.ColumnRule;
import dev.cairn.engine.constraint.ColumnRules;
import dev.cairn.engine.index.TableIndexes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * A table's descriptor: the message that a client sent, kept with every attribute, and its families
 * parsed. Immutable.
 */
public final class TableSchema {
  private final HBaseProtos.TableSchema message;
  private final TableName name;
  private final SortedMap<byte[], FamilySchema> families = new TreeMap<>(Arrays::compareUnsigned);
  private final boolean readOnly;
  private final OptionalLong memStoreFlushBytes;
  private final OptionalLong maxCellBytes;

  /** The parsed constraints, once they have been asked for; threads may parse them twice. */
  private volatile ColumnRules constraints;

  private volatile TableIndexes indexes;

  /**
   * Parses a table's message.
   *
   * @throws IllegalArgumentException naming the attribute whose value is impossible, or the family
   *     that is there twice
   */
  public TableSchema(HBaseProtos.TableSchema message) {
    this.message = message;
    this.name =
        new TableName(
            message.getTableName().getNamespace().toStringUtf8(),
            message.getTableName().getQualifier().toStringUtf8());
    for (HBaseProtos.ColumnFamilySchema family : message.getColumnFamiliesList()) {
      FamilySchema parsed = new FamilySchema(family);
      if (families.put(parsed.name(), parsed) != null) {
        // No client could read such a descriptor, or a list of tables with it.
        throw new IllegalArgumentException(
            "Table " + name + " has the family " + parsed.nameAsString() + " twice");
      }
    }
    this.readOnly = attribute("READONLY").map(Boolean::parseBoolean).orElse(false);
    this.memStoreFlushBytes = bytes("MEMSTORE_FLUSHSIZE", 1);
    this.maxCellBytes = bytes("hbase.server.keyvalue.maxsize", 0);
  }

  private OptionalLong bytes(String key, long least) {
    Optional<String> text = attribute(key);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      long value = Long.parseLong(text.get().trim());
      // HBase's clients write a number that was not set as -1.
      return value < least ? OptionalLong.empty() : OptionalLong.of(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          key + " must be a number of bytes, not <" + text.get() + ">, in table " + name, e);
    }
  }

  /** Creates a table from its name and families. */
  public static TableSchema of(TableName name, FamilySchema... families) {
    HBaseProtos.TableSchema.Builder builder =
        HBaseProtos.TableSchema.newBuilder().setTableName(message(name));
    for (FamilySchema family : families) {
      builder.addColumnFamilies(family.message());
    }
    return new TableSchema(builder.build());
  }

  /**
   * Reads a serialized descriptor.
   *
   * @throws IllegalArgumentException if the bytes are not one
   */
  public static TableSchema parse(byte[] bytes) {
    try {
      return new TableSchema(HBaseProtos.TableSchema.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(
          "Not a table descriptor: its message is cut or damaged", e);
    }
  }

  /** Returns the message that names {@code table}. */
  public static HBaseProtos.TableName message(TableName table) {
    return HBaseProtos.TableName.newBuilder()
        .setNamespace(UnsafeByteOperations.unsafeWrap(Bytes.utf8(table.namespace())))
        .setQualifier(UnsafeByteOperations.unsafeWrap(Bytes.utf8(table.qualifier())))
        .build();
  }

  /** Returns this table with the attribute added, or unchanged if it has the attribute. */
  public TableSchema withDefault(String key, String value) {
    return attribute(key).isPresent()
        ? this
        : new TableSchema(message.toBuilder().addAttributes(pair(key, value)).build());
  }

  /** Returns this table with the attribute, in place of the one that it has under that key. */
  public TableSchema with(String key, String value) {
    HBaseProtos.TableSchema.Builder builder = message.toBuilder().clearAttributes();
    for (HBaseProtos.BytesBytesPair attribute : message.getAttributesList()) {
      if (!attribute.getFirst().toStringUtf8().equals(key)) {
        builder.addAttributes(attribute);
      }
    }
    return new TableSchema(builder.addAttributes(pair(key, value)).build());
  }

  /** Returns this table under another name. */
  public TableSchema named(TableName other) {
    return new TableSchema(message.toBuilder().setTableName(message(other)).build());
  }

  private static HBaseProtos.BytesBytesPair pair(String key, String value) {
    return HBaseProtos.BytesBytesPair.newBuilder()
        .setFirst(UnsafeByteOperations.unsafeWrap(Bytes.utf8(key)))
        .setSecond(UnsafeByteOperations.unsafeWrap(Bytes.utf8(value)))
        .build();
  }

  /** Returns this table with an attribute for those of its families that do not have it. */
  public TableSchema withFamilyDefault(String key, String value) {
    HBaseProtos.BytesBytesPair attribute = pair(key, value);
    HBaseProtos.TableSchema.Builder builder = message.toBuilder();
    for (HBaseProtos.ColumnFamilySchema.Builder family : builder.getColumnFamiliesBuilderList()) {
      if (new FamilySchema(family.build()).attribute(key).isEmpty()) {
        family.addAttributes(attribute);
      }
    }
    return new TableSchema(builder.build());
  }

  /** Returns the table as it was sent. */
  public HBaseProtos.TableSchema message() {
    return message;
  }

  /** Returns the table's name. */
  public TableName name() {
    return name;
  }

  /** Returns the families in the order of their names. */
  public Collection<FamilySchema> families() {
    return Collections.unmodifiableCollection(families.values());
  }

  /** Returns the family of that name. */
  public Optional<FamilySchema> family(byte[] family) {
    return Optional.ofNullable(families.get(family));
  }

  /** Returns the number of replicas of a region, including itself: {@code REGION_REPLICATION}. */
  public int regionReplication() {
    return attribute("REGION_REPLICATION").map(String::trim).map(Integer::parseInt).orElse(1);
  }

  /**
   * Tells whether replicas of a region may follow its log: {@code REGION_MEMSTORE_REPLICATION},
   * true unless it is {@code false}.
   */
  public boolean replicatesMemStore() {
    return attribute("REGION_MEMSTORE_REPLICATION")
        .map(value -> !value.trim().equalsIgnoreCase("false"))
        .orElse(true);
  }

  /** Tells whether the table refuses writes. */
  public boolean readOnly() {
    return readOnly;
  }

  /** Returns the table's own memstore size at which a region is flushed, bytes. */
  public OptionalLong memStoreFlushBytes() {
    return memStoreFlushBytes;
  }

  /** Returns the table's own limit of the length of a cell, bytes; 0 for no limit. */
  public OptionalLong maxCellBytes() {
    return maxCellBytes;
  }

  /**
   * Returns the constraints of the table's columns.
   *
   * @throws IllegalArgumentException if one is malformed; names the column, the rule and the reason
   */
  public ColumnRules constraints() {
    ColumnRules known = constraints;
    if (known == null) {
      known = parseConstraints();
      constraints = known;
    }
    return known;
  }

  /**
   * Returns the secondary indexes of the table that can be used. An index that is malformed, or
   * whose family no longer exists or has MOB files, is left out: {@link #checkIndexes} tells why.
   */
  public TableIndexes indexes() {
    TableIndexes known = indexes;
    if (known == null) {
      List<byte[]> indexable = new ArrayList<>();
      for (FamilySchema family : families.values()) {
        if (!family.isMob()) {
          indexable.add(family.name());
        }
      }
      known = TableIndexes.usable(attributes(), indexable, problem -> {});
      indexes = known;
    }
    return known;
  }

  /**
   * Checks the secondary indexes of the table.
   *
   * @throws IllegalArgumentException if one cannot be used; names the index and the reason
   */
  public void checkIndexes() {
    TableIndexes parsed = TableIndexes.of(attributes(), families.keySet());
    for (TableIndexes.Index index : parsed.all()) {
      for (TableIndexes.Column column : index.columns()) {
        if (families.get(column.family()).isMob()) {
          throw new IllegalArgumentException(
              TableIndexes.PREFIX
                  + index.name()
                  + ": the column "
                  + column
                  + " cannot be indexed, because IS_MOB of its family is true");
        }
      }
    }
  }

  private Map<String, String> attributes() {
    Map<String, String> attributes = new TreeMap<>();
    for (HBaseProtos.BytesBytesPair pair : message.getAttributesList()) {
      attributes.put(pair.getFirst().toStringUtf8(), pair.getSecond().toStringUtf8());
    }
    return attributes;
  }

  private ColumnRules parseConstraints() {
    ColumnRules parsed = ColumnRules.of(attributes(), families.keySet());
    for (ColumnRule rule : parsed.all()) {
      try {
        rule.reference().ifPresent(TableName::parse);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            ColumnRules.PREFIX + rule.column() + ": the reference is malformed: " + e.getMessage(),
            e);
      }
    }
    return parsed;
  }

  /** Returns an attribute of the table as text, under HBase's name for it. */
  public Optional<String> attribute(String key) {
    for (HBaseProtos.BytesBytesPair pair : message.getAttributesList()) {
      if (pair.getFirst().toStringUtf8().equals(key)) {
        return Optional.of(pair.getSecond().toStringUtf8());
      }
    }
    return Optional.empty();
  }

  /** Returns the names of the families, for people. */
  public List<String> familyNames() {
    return families.values().stream().map(FamilySchema::nameAsString).toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TableSchema that && message.equals(that.message);
  }

  @Override
  public int hashCode() {
    return message.hashCode();
  }

  @Override
  public String toString() {
    return name + " " + families.values();
  }
}
