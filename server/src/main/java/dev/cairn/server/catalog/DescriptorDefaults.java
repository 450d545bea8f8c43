package dev.cairn.server.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilySchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Completes table descriptors as HBase 2.6 does with each descriptor that it reads. Clients of
 * other versions send other attributes, and show attributes in the order in which the server
 * returns them.
 *
 * <ul>
 *   <li>A family gets each of HBase's twelve defaults that it lacks.
 *   <li>A table gets {@code IS_META}. Its configuration, which HBase 1 wrote, becomes attributes.
 *   <li>Of several values of one key, the last one counts. An empty value counts as none.
 *   <li>Families are in the order of their names, and keys in the order of HBase's hash tables.
 * </ul>
 *
 * Thread-safe.
 */
public final class DescriptorDefaults {
  private static final String IS_META = "IS_META";

  /** HBase's defaults, in the order in which they enter its hash table. */
  private static final Map<String, String> FAMILY = new LinkedHashMap<>();

  static {
    FAMILY.put("BLOOMFILTER", "ROW");
    FAMILY.put("REPLICATION_SCOPE", "0");
    FAMILY.put("VERSIONS", "1");
    FAMILY.put("MIN_VERSIONS", "0");
    FAMILY.put("TTL", Integer.toString(Integer.MAX_VALUE));
    FAMILY.put("COMPRESSION", "NONE");
    FAMILY.put("BLOCKSIZE", "65536");
    FAMILY.put("IN_MEMORY", "false");
    FAMILY.put("BLOCKCACHE", "true");
    FAMILY.put("KEEP_DELETED_CELLS", "FALSE");
    FAMILY.put("DATA_BLOCK_ENCODING", "NONE");
    FAMILY.put("INDEX_BLOCK_ENCODING", "NONE");
  }

  private DescriptorDefaults() {}

  /**
   * Returns the completed descriptor; the same instance if it is complete.
   *
   * @throws IllegalArgumentException if the completed one is invalid
   */
  public static TableSchema complete(TableSchema schema) {
    HBaseProtos.TableSchema completed = complete(schema.message());
    return completed.equals(schema.message()) ? schema : new TableSchema(completed);
  }

  /** Returns the completed message. */
  public static HBaseProtos.TableSchema complete(HBaseProtos.TableSchema message) {
    Map<Bytes, ByteString> attributes = new HashMap<>();
    message.getAttributesList().forEach(pair -> put(attributes, pair));
    for (NameStringPair pair : message.getConfigurationList()) {
      put(attributes, pair(pair.getName(), pair.getValue()));
    }
    boolean isMeta = message.getTableName().equals(TableSchema.message(TableName.META));
    put(attributes, pair(IS_META, Boolean.toString(isMeta)));
    List<ColumnFamilySchema> families = new ArrayList<>();
    message.getColumnFamiliesList().forEach(family -> families.add(complete(family)));
    families.sort(
        Comparator.comparing(
            ColumnFamilySchema::getName, ByteString.unsignedLexicographicalComparator()));
    return message.toBuilder()
        .clearAttributes()
        .addAllAttributes(pairs(attributes))
        .clearConfiguration()
        .clearColumnFamilies()
        .addAllColumnFamilies(families)
        .build();
  }

  private static ColumnFamilySchema complete(ColumnFamilySchema family) {
    Map<Bytes, ByteString> attributes = new HashMap<>();
    FAMILY.forEach((key, value) -> put(attributes, pair(key, value)));
    family.getAttributesList().forEach(pair -> put(attributes, pair));
    FAMILY.forEach(
        (key, value) ->
            attributes.putIfAbsent(new Bytes(key.getBytes(UTF_8)), ByteString.copyFromUtf8(value)));
    Map<String, String> configuration = new HashMap<>();
    for (NameStringPair pair : family.getConfigurationList()) {
      if (pair.getValue().isEmpty()) {
        configuration.remove(pair.getName());
      } else {
        configuration.put(pair.getName(), pair.getValue());
      }
    }
    ColumnFamilySchema.Builder completed =
        family.toBuilder().clearAttributes().addAllAttributes(pairs(attributes));
    completed.clearConfiguration();
    // The size of a copied hash table, and so its order, follows from the number of its keys alone.
    new HashMap<>(configuration)
        .forEach(
            (name, value) ->
                completed.addConfiguration(
                    NameStringPair.newBuilder().setName(name).setValue(value)));
    return completed.build();
  }

  private static void put(Map<Bytes, ByteString> attributes, BytesBytesPair pair) {
    Bytes key = new Bytes(pair.getFirst().toByteArray());
    if (pair.getSecond().isEmpty()) {
      attributes.remove(key);
    } else {
      attributes.put(key, pair.getSecond());
    }
  }

  private static List<BytesBytesPair> pairs(Map<Bytes, ByteString> attributes) {
    List<BytesBytesPair> pairs = new ArrayList<>(attributes.size());
    // A copy, as for the configuration of a family.
    new HashMap<>(attributes)
        .forEach(
            (key, value) ->
                pairs.add(
                    BytesBytesPair.newBuilder()
                        .setFirst(ByteString.copyFrom(key.get()))
                        .setSecond(value)
                        .build()));
    return pairs;
  }

  private static BytesBytesPair pair(String key, String value) {
    return BytesBytesPair.newBuilder()
        .setFirst(ByteString.copyFromUtf8(key))
        .setSecond(ByteString.copyFromUtf8(value))
        .build();
  }
}
