package dev.cairn.server.master.table;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.DescriptorDefaults;
import dev.cairn.server.catalog.MetaFormat;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilySchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * The number of copies of {@code hbase:meta}. As for any table, it is an attribute of the
 * descriptor. A master that becomes active sets it to the value of {@link #COUNT}, if there is one.
 */
public final class MetaReplicas {
  /** {@code hbase.meta.replica.count}. */
  public static final ConfigKey<Long> COUNT =
      ConfigKey.number(
          "hbase.meta.replica.count",
          1,
          1,
          TableDescriptorChecker.REPLICAS_MAX,
          "Number of copies of hbase:meta, the region itself included. A master that becomes"
              + " active writes it into REGION_REPLICATION of the descriptor of hbase:meta. If the"
              + " key is not set, the descriptor keeps its number, which alter 'hbase:meta',"
              + " REGION_REPLICATION => 2 changes; a new cluster begins with 1.");

  private MetaReplicas() {}

  /** Returns the configured number; empty if the key is not set. */
  public static OptionalInt of(SiteConfig config) {
    return config
        .find(COUNT)
        .map(count -> OptionalInt.of(count.intValue()))
        .orElse(OptionalInt.empty());
  }

  /**
   * Checks that a new descriptor of {@code hbase:meta} differs from the present one only in the
   * number of copies.
   */
  public static void checkChange(TableSchema present, TableSchema wanted)
      throws DoNotRetryIOException {
    if (!facts(present).equals(facts(wanted))) {
      throw new DoNotRetryIOException(
          "Only REGION_REPLICATION of the descriptor of hbase:meta can be changed");
    }
  }

  /** Returns everything that a descriptor says except the number of copies. */
  private static List<Object> facts(TableSchema schema) {
    TableSchema complete = DescriptorDefaults.complete(MetaFormat.withCopies(schema, 1));
    Map<ByteString, Object> families = new HashMap<>();
    for (ColumnFamilySchema family : complete.message().getColumnFamiliesList()) {
      Map<String, String> configuration = new HashMap<>();
      for (NameStringPair pair : family.getConfigurationList()) {
        configuration.put(pair.getName(), pair.getValue());
      }
      families.put(
          family.getName(), List.of(attributes(family.getAttributesList()), configuration));
    }
    return List.of(attributes(complete.message().getAttributesList()), families);
  }

  private static Map<ByteString, ByteString> attributes(List<BytesBytesPair> pairs) {
    Map<ByteString, ByteString> attributes = new HashMap<>();
    pairs.forEach(pair -> attributes.put(pair.getFirst(), pair.getSecond()));
    return attributes;
  }
}
