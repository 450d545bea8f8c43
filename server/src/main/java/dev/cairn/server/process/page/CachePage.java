package dev.cairn.server.process.page;

import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.cache.BlockKind;
import dev.cairn.engine.hfile.cache.CacheContents;
import dev.cairn.engine.region.RegionFiles.CachedFile;
import dev.cairn.server.page.Facts.Fact;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Page;
import dev.cairn.server.page.PageInfo;
import dev.cairn.server.page.PageInfo.MenuGroup;
import dev.cairn.server.page.PageSource;
import dev.cairn.server.page.Section.Tiles;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The page of the block cache's contents: by kind of block, by table and family, by file. */
public final class CachePage {
  private final Supplier<BlockCache> cache;
  private final Supplier<Collection<HostedRegion>> regions;

  public CachePage(Supplier<BlockCache> cache, Supplier<Collection<HostedRegion>> regions) {
    this.cache = cache;
    this.regions = regions;
  }

  public PageSource source() {
    return PageSource.of(
        PageInfo.of(
            "cache",
            "Cache contents",
            MenuGroup.SERVER,
            "The contents of the block cache, by kind, table and file, and its hits."),
        request -> page());
  }

  /** A store file with its region. */
  private record FileRow(HostedRegion region, CachedFile file) {
    String table() {
      return region.info().table().toString();
    }
  }

  /** The files of one family of a table. */
  private record FamilyRow(
      String table, String family, long files, long bytes, CacheContents.Blocks blocks) {
    FamilyRow plus(FamilyRow other) {
      return new FamilyRow(
          table, family, files + other.files, bytes + other.bytes, blocks.plus(other.blocks));
    }
  }

  private Page page() {
    BlockCache.Statistics statistics = cache.get().statistics();
    CacheContents contents = cache.get().contents();
    List<FileRow> files =
        regions.get().stream()
            .flatMap(
                region ->
                    region.files().cached(contents).stream().map(one -> new FileRow(region, one)))
            .toList();
    Map<String, FamilyRow> families = new TreeMap<>();
    for (FileRow row : files) {
      CachedFile file = row.file();
      families.merge(
          row.table() + "/" + file.family(),
          new FamilyRow(row.table(), file.family(), 1, file.bytes(), file.blocks()),
          FamilyRow::plus);
    }
    return Page.of(
        "Cache contents",
        tiles(statistics, contents),
        kinds(statistics, contents),
        families(families.values()),
        files(files));
  }

  private static Tiles tiles(BlockCache.Statistics statistics, CacheContents contents) {
    return new Tiles(
        "summary",
        List.of(
            new Fact("bytes", "Memory", Value.bytes(statistics.bytes())),
            new Fact("capacityBytes", "Room", Value.bytes(statistics.capacityBytes())),
            new Fact("blocks", "Blocks", Value.count(statistics.blocks())),
            new Fact("files", "Files with blocks", Value.count(contents.files().size())),
            new Fact("hitRatio", "Hits", ratio(statistics.hits(), statistics.misses())),
            new Fact("evictions", "Evictions", Value.count(statistics.evictions()))));
  }

  private static Value ratio(long hits, long misses) {
    return hits + misses == 0 ? Value.NONE : Value.ratio((double) hits / (hits + misses));
  }

  private static Table<BlockKind> kinds(BlockCache.Statistics statistics, CacheContents contents) {
    CacheContents.Blocks all =
        contents.files().values().stream()
            .reduce(CacheContents.Blocks.NONE, CacheContents.Blocks::plus);
    return Table.of("kinds", "Kinds of blocks", Arrays.asList(BlockKind.values()))
        .text("kind", "Kind", kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', ' '))
        .column("bytes", "Memory", Kind.BYTES, kind -> bytes(kind, all))
        .count("hits", "Hits", kind -> lookups(statistics, kind).hits())
        .count("misses", "Misses", kind -> lookups(statistics, kind).misses())
        .column(
            "hitRatio",
            "Hit ratio",
            Kind.RATIO,
            kind -> ratio(lookups(statistics, kind).hits(), lookups(statistics, kind).misses()))
        .build();
  }

  private static BlockCache.Lookups lookups(BlockCache.Statistics statistics, BlockKind kind) {
    return statistics.lookups().getOrDefault(kind, new BlockCache.Lookups(0, 0));
  }

  /** Returns the memory of a kind of blocks; all indexes together. */
  private static Value bytes(BlockKind kind, CacheContents.Blocks all) {
    return switch (kind) {
      case DATA -> Value.bytes(all.dataBytes());
      case LEAF_INDEX -> Value.bytes(all.indexBytes());
      case BLOOM_CHUNK -> Value.bytes(all.bloomBytes());
      case INTERMEDIATE_INDEX, META -> Value.NONE;
    };
  }

  private static Table<FamilyRow> families(Collection<FamilyRow> rows) {
    return Table.of("families", "Tables and families", rows)
        .column("table", "Table", Kind.NAME, row -> Value.name(row.table()))
        .column("family", "Family", Kind.NAME, row -> Value.name(row.family()))
        .bytes("cachedBytes", "In the cache", row -> row.blocks().bytes())
        .count("dataBlocks", "Data blocks", row -> row.blocks().dataBlocks())
        .bytes("dataBytes", "Data", row -> row.blocks().dataBytes())
        .bytes("otherBytes", "Indexes and filters", row -> other(row.blocks()))
        .count("files", "Files", FamilyRow::files)
        .bytes("fileBytes", "Files on disk", FamilyRow::bytes)
        .sortedBy("-cachedBytes")
        .whenEmpty("No region has a store file.")
        .build();
  }

  private static long other(CacheContents.Blocks blocks) {
    return blocks.bytes() - blocks.dataBytes();
  }

  private static Table<FileRow> files(List<FileRow> rows) {
    return Table.of("files", "Files", rows)
        .column("file", "File", Kind.NAME, row -> Value.name(row.file().name()))
        .column("table", "Table", Kind.NAME, row -> Value.name(row.table()))
        .column("family", "Family", Kind.NAME, row -> Value.name(row.file().family()))
        .column("region", "Region", Kind.NAME, row -> Value.name(row.region().encodedName()))
        .bytes("cachedBytes", "In the cache", row -> row.file().blocks().bytes())
        .count("dataBlocks", "Data blocks", row -> row.file().blocks().dataBlocks())
        .bytes("fileBytes", "File", row -> row.file().bytes())
        .sortedBy("-cachedBytes")
        .whenEmpty("No region has a store file.")
        .build();
  }
}
