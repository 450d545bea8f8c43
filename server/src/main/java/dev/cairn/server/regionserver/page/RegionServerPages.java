package dev.cairn.server.regionserver.page;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.RegionFigures;
import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.server.page.Action;
import dev.cairn.server.page.Facts.Fact;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Page;
import dev.cairn.server.page.PageInfo;
import dev.cairn.server.page.PageInfo.MenuGroup;
import dev.cairn.server.page.PageSource;
import dev.cairn.server.page.Section;
import dev.cairn.server.page.Section.Tiles;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import dev.cairn.server.regionserver.hosted.CopySource;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The pages of a region server. Thread-safe. */
public final class RegionServerPages {
  /** The id of the page of big rows, which names rows. */
  public static final String BIG_ROWS = "big-rows";

  private final Supplier<Collection<HostedRegion>> regions;
  private final ServerActivity activity;

  /**
   * Creates the pages.
   *
   * @param regions returns the regions that are open now
   * @param activity the server's activity
   */
  public RegionServerPages(Supplier<Collection<HostedRegion>> regions, ServerActivity activity) {
    this.regions = regions;
    this.activity = activity;
  }

  /**
   * A region and its figures, which are read once, and only if they are shown or sorted by: a page
   * shows some of thousands of regions. One thread.
   */
  private static final class Row {
    private final HostedRegion region;
    private final long reads;
    private final long writes;
    private Optional<RegionStatistics> figures = Optional.empty();

    Row(HostedRegion region) {
      this.region = region;
      this.reads = region.readRequestCount();
      this.writes = region.writeRequestCount();
    }

    HostedRegion region() {
      return region;
    }

    long reads() {
      return reads;
    }

    long writes() {
      return writes;
    }

    long requests() {
      return reads + writes;
    }

    RegionStatistics figures() {
      if (figures.isEmpty()) {
        figures = Optional.of(region.figures().statistics());
      }
      return figures.get();
    }

    /** Returns the memory of the logged changes that replicas do not have yet. */
    long queuedBytes() {
      return region
          .copySource()
          .flatMap(CopySource::feed)
          .map(feed -> feed.figures().queuedBytes())
          .orElse(0L);
    }
  }

  /** Returns all pages but the first. */
  public List<PageSource> pages() {
    List<PageSource> pages = new ArrayList<>();
    pages.add(
        PageSource.of(
            PageInfo.of(
                "hosted",
                "Open regions",
                MenuGroup.SERVER,
                "The regions that this server serves, busiest first."),
            request -> Page.of("Open regions", table(rows()))));
    pages.add(
        PageSource.of(
            PageInfo.of(
                BIG_ROWS,
                "Big rows",
                MenuGroup.SERVER,
                "Rows that are large or have many versions, as flushes and compactions saw them."),
            request -> Page.of("Big rows", bigRows())));
    pages.addAll(new ActivityPages(regions, activity).pages());
    return pages;
  }

  /** A big row of a region. */
  private record Big(HostedRegion region, RegionFigures.LargestRow largest) {}

  private Table<Big> bigRows() {
    List<Big> rows =
        regions.get().stream()
            .flatMap(
                region -> region.figures().largestRows().stream().map(row -> new Big(region, row)))
            .toList();
    return Table.of("rows", "Rows", rows)
        .column("row", "Row", Kind.NAME, one -> key(one.largest().row().row()))
        .column(
            "table",
            "Table",
            Kind.NAME,
            one ->
                Value.link(
                    one.region().info().table().toString(),
                    "advice",
                    "name",
                    one.region().info().table().toString()))
        .column("family", "Family", Kind.NAME, one -> Value.name(one.largest().family()))
        .column("region", "Region", Kind.NAME, one -> Value.name(one.region().encodedName()))
        .bytes("bytes", "Bytes", one -> one.largest().row().bytes())
        .count("cells", "Cells", one -> one.largest().row().cells())
        .count("versions", "Most versions of a column", one -> one.largest().row().versions())
        .sortedBy("-bytes")
        .whenEmpty("No flush or compaction has seen a big row since its region was opened.")
        .build();
  }

  /** Returns the actions that a region server offers to operators. */
  public List<Action> actions() {
    return new EndActions(activity).all();
  }

  /**
   * Returns the parts of the first page: key numbers, and the open regions if there is no master.
   */
  public List<Section> overview(boolean withRegions) {
    List<Row> rows = rows();
    Tiles tiles =
        new Tiles(
            "regionServer",
            List.of(
                new Fact(
                    "regions",
                    "Regions here",
                    new Value.Link(Value.count(rows.size()), "hosted", Map.of())),
                new Fact("reads", "Reads", sum(rows, Row::reads)),
                new Fact("writes", "Writes", sum(rows, Row::writes)),
                new Fact(
                    "memStoreBytes",
                    "In memory",
                    Value.bytes(
                        rows.stream()
                            .mapToLong(row -> row.region().flushes().memStoreBytes())
                            .sum())),
                new Fact(
                    "fileBytes",
                    "On disk",
                    Value.bytes(
                        rows.stream()
                            .mapToLong(row -> row.region().figures().storeFileBytes())
                            .sum()))));
    return withRegions ? List.of(tiles, table(rows)) : List.of(tiles);
  }

  private static Value sum(List<Row> rows, java.util.function.ToLongFunction<Row> figure) {
    return Value.count(rows.stream().mapToLong(figure).sum());
  }

  private List<Row> rows() {
    return regions.get().stream().map(Row::new).toList();
  }

  private static Table<Row> table(List<Row> rows) {
    long most = rows.stream().mapToLong(Row::requests).max().orElse(0);
    return Table.of("hosted", "Open regions", rows)
        .column("region", "Region", Kind.NAME, row -> Value.name(row.region().encodedName()))
        .column(
            "table", "Table", Kind.NAME, row -> Value.name(row.region().info().table().toString()))
        .column("startKey", "Start key", Kind.NAME, row -> key(row.region().info().startKey()))
        .column("reads", "Reads", Kind.COUNT, row -> Value.count(row.reads()))
        .column("writes", "Writes", Kind.COUNT, row -> Value.count(row.writes()))
        .column(
            "share",
            "Share of the busiest",
            Kind.RATIO,
            row -> Value.ratio(most == 0 ? 0 : (double) row.requests() / most))
        .count("files", "Files", row -> row.figures().storeFiles())
        .bytes("fileBytes", "On disk", row -> row.figures().storeFileBytes())
        .bytes("memStoreBytes", "In memory", row -> row.figures().memStoreBytes())
        .bytes("queuedBytes", "Queued for replicas", Row::queuedBytes)
        .time("flushMillis", "Oldest flush", row -> row.figures().lastFlushMillis())
        .time(
            "majorCompactionMillis",
            "Major compaction",
            row -> row.figures().lastMajorCompactionMillis())
        .column(
            "state",
            "State",
            Kind.STATE,
            row ->
                row.region().refusal().isPresent()
                    ? Value.state(Level.BAD, "refuses calls")
                    : Value.state(Level.GOOD, "open"))
        .sortedBy("-share")
        .whenEmpty("No region is open here.")
        .build();
  }

  private static Value key(byte[] key) {
    return key.length == 0 ? Value.NONE : Value.name(Bytes.toStringBinary(key));
  }
}
