package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.SchemaSettings;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.DescriptorDefaults;
import dev.cairn.server.master.procedure.FailedProcedureException;
import dev.cairn.server.master.table.SchemaRules;
import dev.cairn.server.master.table.TrackerRules;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilySchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * The part of a descriptor that names a store file tracker.
 *
 * @param family the family whose configuration names it; empty for the table's attributes
 */
record TrackerScope(Optional<byte[]> family) {
  /** Returns the family in which two descriptors differ; the table if none does. */
  static TrackerScope difference(TableSchema before, TableSchema after) {
    return new TrackerScope(
        after.families().stream()
            .filter(family -> !before.family(family.name()).equals(Optional.of(family)))
            .map(FamilySchema::name)
            .findFirst());
  }

  /**
   * Checks that the trackers of a table exist.
   *
   * @throws FailedProcedureException in HBase's words, if one does not: HBase takes an unknown name
   *     for the name of a class, and the procedure fails when it runs
   */
  static void checkKnown(TableSchema table, SchemaRules rules) throws FailedProcedureException {
    for (FamilySchema family : table.families()) {
      Optional<String> name = SchemaSettings.of(table, family).find(StoreFileTracking.KEY);
      if (name.isEmpty() || StoreFileTracking.isMigration(name.get())) {
        continue;
      }
      try {
        TrackerRules.tracking(table, family, rules);
      } catch (IllegalArgumentException e) {
        throw new FailedProcedureException(
            new IOException(
                "java.lang.RuntimeException: java.lang.RuntimeException:"
                    + " java.lang.ClassNotFoundException: Class "
                    + name.get()
                    + " not found"),
            e);
      }
    }
  }

  /** Returns the tracking that a descriptor has here. */
  StoreFileTracking tracking(TableSchema schema, SchemaRules rules) {
    FamilySchema without = FamilySchema.of("none");
    return TrackerRules.tracking(schema, family.flatMap(schema::family).orElse(without), rules);
  }

  /** Returns a descriptor with another tracking here. */
  TableSchema with(TableSchema schema, StoreFileTracking tracking) {
    Map<String, String> values = new TreeMap<>();
    values.put(StoreFileTracking.KEY, tracking.value());
    if (tracking.isMigration()) {
      values.put(StoreFileTracking.SOURCE_KEY, tracking.source().name());
      values.put(StoreFileTracking.TARGET_KEY, tracking.target().name());
    }
    HBaseProtos.TableSchema.Builder message = schema.message().toBuilder();
    if (family.isEmpty()) {
      List<BytesBytesPair> others = others(message.getAttributesList());
      message.clearAttributes().addAllAttributes(others);
      values.forEach((key, value) -> message.addAttributes(pair(key, value)));
      return new TableSchema(DescriptorDefaults.complete(message.build()));
    }
    for (ColumnFamilySchema.Builder one : message.getColumnFamiliesBuilderList()) {
      if (one.getName().equals(ByteString.copyFrom(family.get()))) {
        set(one, values);
      }
    }
    return new TableSchema(DescriptorDefaults.complete(message.build()));
  }

  private static void set(ColumnFamilySchema.Builder family, Map<String, String> values) {
    List<BytesBytesPair> attributes = others(family.getAttributesList());
    List<NameStringPair> configuration =
        family.getConfigurationList().stream()
            .filter(pair -> !TrackerRules.KEYS.contains(pair.getName()))
            .toList();
    family.clearAttributes().addAllAttributes(attributes);
    family.clearConfiguration().addAllConfiguration(configuration);
    values.forEach(
        (key, value) ->
            family.addConfiguration(NameStringPair.newBuilder().setName(key).setValue(value)));
  }

  private static List<BytesBytesPair> others(List<BytesBytesPair> attributes) {
    return attributes.stream()
        .filter(pair -> !TrackerRules.KEYS.contains(pair.getFirst().toStringUtf8()))
        .toList();
  }

  private static BytesBytesPair pair(String key, String value) {
    return BytesBytesPair.newBuilder()
        .setFirst(ByteString.copyFromUtf8(key))
        .setSecond(ByteString.copyFromUtf8(value))
        .build();
  }
}
