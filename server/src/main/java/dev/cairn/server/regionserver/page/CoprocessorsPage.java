package dev.cairn.server.regionserver.page;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Page;
import dev.cairn.server.page.PageInfo;
import dev.cairn.server.page.PageInfo.MenuGroup;
import dev.cairn.server.page.PageSource;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import dev.cairn.server.regionserver.hooked.AbsentClasses;
import dev.cairn.server.regionserver.hooked.AbsentClasses.Absent;
import dev.cairn.server.regionserver.hooked.HookTimes;
import dev.cairn.server.regionserver.hooked.HookTimes.Key;
import dev.cairn.server.regionserver.hooked.HookTimes.Totals;
import dev.cairn.server.regionserver.hooked.HookTimes.Visit;
import dev.cairn.server.regionserver.hooked.LoadedClass;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The page of a region server's coprocessors: the classes by table, and the calls and times of
 * their hooks. Thread-safe.
 */
public final class CoprocessorsPage {
  private final Supplier<Collection<HostedRegion>> regions;
  private final HookTimes times;
  private final AbsentClasses absent;
  private final Clock clock;

  /**
   * Creates the page.
   *
   * @param regions returns the regions that are open now
   * @param absent lists the classes that are left out or removed
   * @param clock the clock of {@code times}
   */
  public CoprocessorsPage(
      Supplier<Collection<HostedRegion>> regions,
      HookTimes times,
      AbsentClasses absent,
      Clock clock) {
    this.regions = regions;
    this.times = times;
    this.absent = absent;
    this.clock = clock;
  }

  /** A class in the regions of a table that are open here. */
  private record Loaded(TableName table, LoadedClass type, int regions, Totals totals) {}

  /** A table that names coprocessors, and whose regions cannot be served. */
  private record Refused(TableName table, String reason, int regions) {}

  /** Returns the page. */
  public PageSource source() {
    return PageSource.of(
        PageInfo.of(
            "coprocessors",
            "Coprocessors",
            MenuGroup.SERVER,
            "The coprocessors of this server's regions, their hooks, and the hooks that run."),
        request -> page());
  }

  private Page page() {
    Map<Key, Totals> totals = times.totals();
    return Page.of("Coprocessors", loaded(totals), absent(), refused(), running(), hooks(totals));
  }

  private Table<Loaded> loaded(Map<Key, Totals> totals) {
    Map<Entry<TableName, LoadedClass>, Integer> classes = new LinkedHashMap<>();
    for (HostedRegion region : regions.get()) {
      for (LoadedClass one : region.coprocessors()) {
        classes.merge(Map.entry(region.info().table(), one), 1, Integer::sum);
      }
    }
    absent
        .all()
        .forEach(
            (one, count) ->
                classes.replaceAll(
                    (loaded, regions) ->
                        one.isRemoved() && isOf(loaded, one) ? regions - count : regions));
    List<Loaded> rows =
        classes.entrySet().stream()
            .filter(entry -> entry.getValue() > 0)
            .map(
                entry ->
                    loaded(
                        entry.getKey().getKey(),
                        entry.getKey().getValue(),
                        entry.getValue(),
                        totals))
            .sorted(
                Comparator.comparing(Loaded::table)
                    .thenComparing(row -> row.type().priority())
                    .thenComparing(row -> row.type().className()))
            .toList();
    return Table.of("loaded", "Loaded classes", rows)
        .column("table", "Table", Kind.NAME, row -> Value.name(row.table().toString()))
        .column("class", "Class", Kind.NAME, row -> Value.name(row.type().className()))
        .count("priority", "Priority", row -> row.type().priority())
        .column("source", "Named by", Kind.NAME, row -> Value.name(row.type().source()))
        .count("regions", "Regions", Loaded::regions)
        .count("calls", "Calls", row -> row.totals().calls())
        .count("failures", "Failures", row -> row.totals().failures())
        .millis("millis", "Time", row -> millis(row.totals().nanos()))
        .column(
            "hooks", "Hooks", Kind.NAME, row -> Value.name(String.join(", ", row.type().hooks())))
        .column(
            "services",
            "Endpoints",
            Kind.NAME,
            row -> Value.name(String.join(", ", row.type().services())))
        .whenEmpty("No region of this server has coprocessors.")
        .build();
  }

  private static boolean isOf(Entry<TableName, LoadedClass> loaded, Absent removed) {
    return removed.place().equals(AbsentClasses.place(loaded.getKey()))
        && removed.className().equals(loaded.getValue().className());
  }

  private Table<Entry<Absent, Integer>> absent() {
    return Table.of("absent", "Classes that are left out or removed", absent.all().entrySet())
        .column("class", "Class", Kind.NAME, one -> Value.name(one.getKey().className()))
        .column("source", "Named by", Kind.NAME, one -> Value.name(one.getKey().source()))
        .column("place", "Of", Kind.NAME, one -> Value.name(one.getKey().place()))
        .column("state", "State", Kind.STATE, one -> Value.state(Level.WARN, one.getKey().state()))
        .count("count", "Number", Entry::getValue)
        .text("reason", "Reason", one -> one.getKey().reason())
        .whenEmpty("None.")
        .build();
  }

  private static Loaded loaded(
      TableName table, LoadedClass type, int count, Map<Key, Totals> totals) {
    Totals sum =
        totals.entrySet().stream()
            .filter(
                entry ->
                    entry.getKey().table().equals(table)
                        && entry.getKey().className().equals(type.className()))
            .map(Entry::getValue)
            .reduce(Totals.NONE, Totals::plus);
    return new Loaded(table, type, count, sum);
  }

  private Table<Refused> refused() {
    Map<Entry<TableName, String>, Integer> tables = new LinkedHashMap<>();
    for (HostedRegion region : regions.get()) {
      if (namesCoprocessors(region)) {
        region
            .refusal()
            .ifPresent(
                reason -> tables.merge(Map.entry(region.info().table(), reason), 1, Integer::sum));
      }
    }
    List<Refused> rows =
        tables.entrySet().stream()
            .map(
                entry ->
                    new Refused(
                        entry.getKey().getKey(), entry.getKey().getValue(), entry.getValue()))
            .sorted(Comparator.comparing(Refused::table))
            .toList();
    return Table.of("refused", "Refused tables with coprocessors", rows)
        .column("table", "Table", Kind.NAME, row -> Value.name(row.table().toString()))
        .count("regions", "Regions", Refused::regions)
        .text("reason", "Reason", Refused::reason)
        .whenEmpty("None is refused.")
        .build();
  }

  private static boolean namesCoprocessors(HostedRegion region) {
    return region.schema().message().getAttributesList().stream()
        .anyMatch(
            pair ->
                pair.getFirst()
                    .toStringUtf8()
                    .trim()
                    .toLowerCase(Locale.ROOT)
                    .startsWith("coprocessor$"));
  }

  private Table<Visit> running() {
    long now = clock.nanoTime();
    return Table.of("running", "Hooks that run", times.running())
        .column("table", "Table", Kind.NAME, visit -> Value.name(visit.table().toString()))
        .column("class", "Class", Kind.NAME, visit -> Value.name(visit.className()))
        .column("hook", "Hook", Kind.NAME, visit -> Value.name(visit.hook()))
        .millis("millis", "For", visit -> millis(now - visit.sinceNanos()))
        .sortedBy("-millis")
        .whenEmpty("No hook runs.")
        .build();
  }

  private static Table<Entry<Key, Totals>> hooks(Map<Key, Totals> totals) {
    return Table.of("hooks", "Calls of hooks", totals.entrySet())
        .column("table", "Table", Kind.NAME, hook -> Value.name(hook.getKey().table().toString()))
        .column("class", "Class", Kind.NAME, hook -> Value.name(hook.getKey().className()))
        .column("hook", "Hook", Kind.NAME, hook -> Value.name(hook.getKey().hook()))
        .count("calls", "Calls", hook -> hook.getValue().calls())
        .count("failures", "Failures", hook -> hook.getValue().failures())
        .millis("millis", "Time", hook -> millis(hook.getValue().nanos()))
        .sortedBy("-millis")
        .whenEmpty("No hook has run.")
        .build();
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
