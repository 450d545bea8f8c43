package dev.cairn.torture;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.torture.model.Swarm;
import dev.cairn.torture.model.Swarm.Feature;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/**
 * Draws tables with every kind of family that the engine knows and the run has.
 *
 * @param random the source of randomness
 * @param swarm the features of the run
 */
record RandomSchema(RandomGenerator random, Swarm swarm) {
  private static final List<String> NAMES = List.of("a", "b", "family");
  private static final List<String> ENCODINGS =
      List.of("NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1");
  private static final List<String> COMPRESSIONS =
      List.of("NONE", "NONE", "SNAPPY", "LZ4", "ZSTD", "LZO", "GZ");
  private static final List<String> BLOOMS =
      List.of("NONE", "ROW", "ROWCOL", "ROWPREFIX_FIXED_LENGTH");

  TableSchema table(String name) {
    int count = swarm.has(Feature.FAMILIES) ? 1 + random.nextInt(NAMES.size()) : 1;
    FamilySchema[] families = new FamilySchema[count];
    for (int i = 0; i < count; i++) {
      families[i] = FamilySchema.of(NAMES.get(i), family());
    }
    TableSchema schema = TableSchema.of(TableName.parse(name), families);
    if (swarm.has(Feature.INDEXES)) {
      schema = indexed(schema);
    }
    return random.nextInt(3) > 0 ? schema : schema.with("DURABILITY", durability().name());
  }

  private Durability durability() {
    return Durability.values()[random.nextInt(Durability.values().length)];
  }

  private Map<String, String> family() {
    Map<String, String> attributes = new TreeMap<>();
    int versions = swarm.has(Feature.VERSIONS) ? 1 + random.nextInt(4) : 1;
    attributes.put("VERSIONS", "" + versions);
    attributes.put("BLOCKSIZE", "" + (64 << random.nextInt(11)));
    attributes.put("BLOCKCACHE", "" + (random.nextInt(4) > 0));
    attributes.put("DATA_BLOCK_ENCODING", any(ENCODINGS));
    attributes.put("COMPRESSION", compression());
    if (random.nextInt(4) == 0) {
      attributes.put("COMPRESSION_COMPACT", compression());
    }
    String bloom = any(BLOOMS);
    attributes.put("BLOOMFILTER", bloom);
    if (bloom.startsWith("ROWPREFIX")) {
      attributes.put("RowPrefixBloomFilter.prefix_length", "" + (1 + random.nextInt(4)));
    }
    if (swarm.has(Feature.TTL) && random.nextInt(3) == 0) {
      attributes.put("TTL", "" + (2 + random.nextInt(60)));
      attributes.put("MIN_VERSIONS", "" + random.nextInt(versions + 1));
    }
    if (swarm.has(Feature.DELETES) && random.nextInt(3) == 0) {
      attributes.put("NEW_VERSION_BEHAVIOR", "true");
    }
    if (swarm.has(Feature.MOB) && random.nextInt(4) == 0) {
      attributes.put("IS_MOB", "true");
      attributes.put("MOB_THRESHOLD", "" + random.nextInt(40));
    }
    track(attributes);
    if (swarm.has(Feature.DELETES) && random.nextInt(3) == 0) {
      attributes.put("KEEP_DELETED_CELLS", random.nextBoolean() ? "TRUE" : "TTL");
    }
    return attributes;
  }

  private void track(Map<String, String> attributes) {
    switch (random.nextInt(8)) {
      case 0, 1 -> attributes.put(StoreFileTracking.KEY, "FILE");
      case 2 -> {
        boolean toList = random.nextBoolean();
        attributes.put(StoreFileTracking.KEY, StoreFileTracking.MIGRATION);
        attributes.put(StoreFileTracking.SOURCE_KEY, toList ? "DEFAULT" : "FILE");
        attributes.put(StoreFileTracking.TARGET_KEY, toList ? "FILE" : "DEFAULT");
      }
      default -> {
        // All files count.
      }
    }
  }

  private String compression() {
    if (random.nextInt(60) == 0) {
      return "BZIP2"; // it takes megabytes and milliseconds for each block, however small
    }
    return any(COMPRESSIONS);
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  /** Returns a table with other indexes than before, or with none. */
  TableSchema indexed(TableSchema schema) {
    HBaseProtos.TableSchema.Builder message = schema.message().toBuilder().clearAttributes();
    schema.message().getAttributesList().stream()
        .filter(pair -> !pair.getFirst().toStringUtf8().startsWith(TableIndexes.PREFIX))
        .forEach(message::addAttributes);
    TableSchema indexed = new TableSchema(message.build());
    List<FamilySchema> families =
        schema.families().stream().filter(family -> !family.isMob()).toList();
    int indexes = families.isEmpty() || random.nextInt(6) == 0 ? 0 : 1 + random.nextInt(2);
    for (int i = 0; i < indexes; i++) {
      Set<String> columns = new LinkedHashSet<>();
      for (int more = random.nextInt(3); more >= 0; more--) {
        columns.add(column(any(families)));
      }
      indexed = indexed.with(TableIndexes.PREFIX + "i" + i, String.join(",", columns));
    }
    return indexed;
  }

  private String column(FamilySchema family) {
    byte[] qualifier =
        swarm.has(Feature.COMPUTED) && random.nextInt(6) == 0
            ? Bytes.utf8("n" + random.nextInt(2))
            : swarm.bytes().qualifier(random);
    return new TableIndexes.Column(family.name(), qualifier).toString();
  }
}
