package dev.cairn.server.catalog;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.keys.KeyDisplay;
import dev.cairn.keys.KeyFormat;
import dev.cairn.server.config.NearestName;
import dev.cairn.server.config.SettingRule;
import dev.cairn.server.config.SettingTable;
import dev.cairn.server.config.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/**
 * Finds attributes of tables and families that are misspelt or have no effect. The attributes may
 * include keys of {@code hbase-site.xml}. Thread-safe.
 */
public final class SchemaReview {
  private static final String SYSTEM_NAMESPACE = "hbase";

  private final Set<String> siteKeys;

  /**
   * Creates a review.
   *
   * @param siteKeys the keys that the server reads from {@code hbase-site.xml}
   */
  public SchemaReview(Set<String> siteKeys) {
    this.siteKeys = Set.copyOf(siteKeys);
  }

  /** Returns the verdicts on the attributes of tables. */
  public static SettingTable tableAttributes() {
    return Attributes.TABLES;
  }

  /** Returns the verdicts on the attributes of column families. */
  public static SettingTable familyAttributes() {
    return Attributes.FAMILIES;
  }

  /**
   * Returns a warning for each attribute of the table and its families that is probably misspelt,
   * or that unexpectedly has no effect, such as a malformed {@code KEY_FORMAT}. System tables get
   * no warnings.
   */
  public List<String> warnings(TableSchema schema) {
    if (schema.name().namespace().equals(SYSTEM_NAMESPACE)) {
      return List.of();
    }
    List<String> warnings = new ArrayList<>();
    KeyDisplay.of(schema.attribute(KeyFormat.TABLE_ATTRIBUTE)).problem().ifPresent(warnings::add);
    attributes(schema)
        .forEach(
            (name, value) ->
                warning(tableAttributes(), "A table", name, value).ifPresent(warnings::add));
    for (FamilySchema family : schema.families()) {
      Map<String, String> attributes = new TreeMap<>(family.configuration());
      attributes.putAll(family.attributes());
      String where = "Column family " + Bytes.toStringBinary(family.name()) + ": ";
      attributes.forEach(
          (name, value) ->
              warning(familyAttributes(), "A column family", name, value)
                  .ifPresent(warning -> warnings.add(where + warning)));
    }
    return warnings;
  }

  private static Map<String, String> attributes(TableSchema schema) {
    Map<String, String> attributes = new TreeMap<>();
    for (HBaseProtos.NameStringPair pair : schema.message().getConfigurationList()) {
      attributes.put(pair.getName(), pair.getValue());
    }
    for (HBaseProtos.BytesBytesPair pair : schema.message().getAttributesList()) {
      attributes.put(pair.getFirst().toStringUtf8(), pair.getSecond().toStringUtf8());
    }
    return attributes;
  }

  private Optional<String> warning(SettingTable own, String who, String name, String value) {
    Optional<SettingRule> rule = own.find(name);
    if (rule.isPresent()) {
      return rule.get().warning(name, value);
    }
    if (siteKeys.contains(name)) {
      return Optional.of(
          name
              + " = "
              + value
              + " has no effect. "
              + who
              + " cannot set it; set it in hbase-site.xml.");
    }
    SettingTable site = SettingTable.ofSite();
    return site.names(name)
        ? site.find(name).flatMap(known -> known.warning(name, value))
        : NearestName.of(name, names(own, site))
            .map(near -> name + " is unknown and has no effect. Did you mean " + near + "?");
  }

  private Set<String> names(SettingTable own, SettingTable site) {
    Set<String> names = new TreeSet<>(siteKeys);
    for (SettingTable table : List.of(own, site)) {
      table.rules().stream()
          .filter(rule -> !rule.isWildcard() && rule.verdict() != Verdict.CLIENT)
          .map(SettingRule::name)
          .forEach(names::add);
    }
    return names;
  }

  /** Loads the tables on first use. */
  private static final class Attributes {
    static final SettingTable TABLES =
        SettingTable.read(SchemaReview.class, "table-attributes.txt");
    static final SettingTable FAMILIES =
        SettingTable.read(SchemaReview.class, "family-attributes.txt");
  }
}
