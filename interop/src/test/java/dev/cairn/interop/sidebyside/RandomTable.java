package dev.cairn.interop.sidebyside;

import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.torture.model.Swarm;
import dev.cairn.torture.model.Swarm.Feature;
import dev.cairn.torture.model.Text;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Draws tables with every kind of family that both servers know and the run has.
 *
 * @param random the source of randomness
 * @param swarm the features of the run
 */
record RandomTable(RandomGenerator random, Swarm swarm) {
  /** How long the cells of a family with a TTL live: no step is near the end of any. */
  static final long TTL_SECONDS = 4 * 86_400 + 43_200;

  private static final List<String> NAMES = List.of("a", "b", "family");
  private static final List<String> ENCODINGS =
      List.of("NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1");
  private static final List<String> BLOOMS =
      List.of("NONE", "ROW", "ROWCOL", "ROWPREFIX_FIXED_LENGTH");

  /** Returns a table of a kind. */
  TableSchema table(String name, TableKind kind) {
    int count = swarm.has(Feature.FAMILIES) ? 1 + random.nextInt(NAMES.size()) : 1;
    FamilySchema[] families = new FamilySchema[count];
    for (int i = 0; i < count; i++) {
      families[i] = FamilySchema.of(NAMES.get(i), family(kind.newVersionBehavior()));
    }
    TableSchema schema = TableSchema.of(TableName.parse(name), families);
    if (swarm.has(Feature.INDEXES)) {
      for (Map.Entry<String, String> index : indexes(schema, kind).entrySet()) {
        schema = schema.with(index.getKey(), index.getValue());
      }
    }
    return schema;
  }

  /** Draws indexes, as attributes of a table with these families; sometimes none. */
  Map<String, String> indexes(TableSchema schema, TableKind kind) {
    RandomRequests requests = new RandomRequests(random, schema, swarm, kind, 0);
    Map<String, String> indexes = new TreeMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      Set<String> columns = new TreeSet<>();
      for (int more = random.nextInt(3); more >= 0; more--) {
        TableIndexes.Column column =
            new TableIndexes.Column(
                Text.bytes(requests.familyName()), Text.bytes(requests.column()));
        columns.add(column.toString());
      }
      indexes.put(TableIndexes.PREFIX + "i" + i, String.join(",", columns));
    }
    return indexes;
  }

  private Map<String, String> family(boolean newVersionBehavior) {
    Map<String, String> attributes = new TreeMap<>();
    int versions = swarm.has(Feature.VERSIONS) ? 1 + random.nextInt(4) : 1;
    attributes.put("VERSIONS", "" + versions);
    attributes.put("BLOCKSIZE", "" + (1024 << random.nextInt(4)));
    attributes.put("BLOCKCACHE", "" + (random.nextInt(4) > 0));
    attributes.put("IN_MEMORY", "" + (random.nextInt(4) == 0));
    attributes.put("DATA_BLOCK_ENCODING", any(ENCODINGS));
    attributes.put("COMPRESSION", random.nextBoolean() ? "NONE" : "GZ");
    String bloom = any(BLOOMS);
    attributes.put("BLOOMFILTER", bloom);
    if (bloom.startsWith("ROWPREFIX")) {
      attributes.put("RowPrefixBloomFilter.prefix_length", "" + (1 + random.nextInt(3)));
    }
    if (swarm.has(Feature.TTL) && random.nextInt(3) == 0) {
      attributes.put("TTL", "" + TTL_SECONDS);
    }
    if (random.nextInt(3) == 0) {
      attributes.put("MIN_VERSIONS", "" + random.nextInt(versions));
    }
    if (newVersionBehavior && random.nextInt(3) > 0) {
      attributes.put("NEW_VERSION_BEHAVIOR", "true");
    }
    if (swarm.has(Feature.DELETES) && random.nextInt(3) == 0) {
      attributes.put("KEEP_DELETED_CELLS", random.nextBoolean() ? "TRUE" : "TTL");
    }
    return attributes;
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }
}
