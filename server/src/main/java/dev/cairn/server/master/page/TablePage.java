package dev.cairn.server.master.page;

import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.page.Facts.Fact;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Page;
import dev.cairn.server.page.PageException;
import dev.cairn.server.page.PageRequest;
import dev.cairn.server.page.Secrets;
import dev.cairn.server.page.Section;
import dev.cairn.server.page.Section.Tiles;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The page of one table. Stateless. */
final class TablePage {
  private TablePage() {}

  static Page build(ClusterView cluster, PageRequest request) throws PageException {
    TableName name = name(request.require("name"));
    ClusterView.Table table =
        cluster.tables().stream()
            .filter(one -> one.name().equals(name))
            .findFirst()
            .orElseThrow(() -> PageException.notFound("There is no table " + name + "."));
    List<ClusterView.Region> regions = cluster.regionsOf(name);
    TableTables.Sums sums = TableTables.Sums.ZERO;
    for (ClusterView.Region region : regions) {
      sums = sums.and(region);
    }
    List<Section> sections = new ArrayList<>();
    sections.add(
        new Tiles(
            "summary",
            List.of(
                new Fact("state", "State", TableTables.state(table)),
                new Fact("regions", "Regions", Value.count(sums.regions())),
                new Fact("open", "Open", Value.count(sums.open())),
                new Fact("reads", "Reads", Value.count(sums.reads())),
                new Fact("writes", "Writes", Value.count(sums.writes())),
                new Fact("fileBytes", "On disk", Value.bytes(sums.disk())),
                new Fact("memStoreBytes", "In memory", Value.bytes(sums.memory())))));
    table.schema().ifPresent(schema -> sections.addAll(descriptor(schema)));
    table
        .schema()
        .filter(schema -> schema.indexes() != TableIndexes.NONE)
        .ifPresent(schema -> sections.add(IndexTable.of(schema, table.state(), regions)));
    sections.add(RegionTables.ofTable(regions));
    return new Page("Table " + name, sections);
  }

  private static TableName name(String text) throws PageException {
    try {
      return TableName.parse(text);
    } catch (IllegalArgumentException e) {
      throw PageException.notFound("There is no table " + text + ".");
    }
  }

  private static List<Section> descriptor(TableSchema schema) {
    Map<String, String> attributes = new TreeMap<>();
    schema
        .message()
        .getAttributesList()
        .forEach(
            pair ->
                attributes.put(pair.getFirst().toStringUtf8(), pair.getSecond().toStringUtf8()));
    schema
        .message()
        .getConfigurationList()
        .forEach(pair -> attributes.put(pair.getName(), pair.getValue()));
    return List.of(
        Table.of("families", "Column families", schema.families())
            .column("family", "Family", Kind.NAME, family -> Value.name(family.nameAsString()))
            .count("versions", "Versions", FamilySchema::maxVersions)
            .column("ttlMillis", "Time to live", Kind.MILLIS, TablePage::timeToLive)
            .text("compression", "Compression", FamilySchema::compression)
            .text("encoding", "Encoding", FamilySchema::dataBlockEncoding)
            .text("bloom", "Bloom filter", family -> family.bloomType().name())
            .bytes("blockBytes", "Block", FamilySchema::blockSize)
            .text("cached", "Cached", family -> family.blockCache() ? "yes" : "no")
            .text("mob", "MOB", family -> family.isMob() ? "yes" : "no")
            .build(),
        Table.of("attributes", "Attributes", attributes.entrySet())
            .column("name", "Attribute", Kind.NAME, one -> Value.name(one.getKey()))
            .text("value", "Value", one -> Secrets.shown(one.getKey(), one.getValue()))
            .whenEmpty("All attributes have their defaults.")
            .build());
  }

  private static Value timeToLive(FamilySchema family) {
    return family.timeToLiveMillis() == Long.MAX_VALUE
        ? Value.NONE
        : Value.millis(family.timeToLiveMillis());
  }
}
