package dev.cairn.server.master.page;

import dev.cairn.server.catalog.QuotaContents;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.Master;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Page;
import dev.cairn.server.page.PageException;
import dev.cairn.server.page.PageInfo;
import dev.cairn.server.page.PageInfo.MenuGroup;
import dev.cairn.server.page.PageSource;
import dev.cairn.server.page.Section;
import dev.cairn.server.page.Section.Notice;
import dev.cairn.server.page.Timeline;
import dev.cairn.server.snapshot.SnapshotDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The pages of a master. A backup master shows which one leads. Thread-safe. */
public final class MasterPages {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** The loop is asked at most once in this time, for any number of readers. */
  private static final long REUSE_NANOS = Duration.ofMillis(500).toNanos();

  private final Supplier<Optional<Master>> master;

  /** Requests that wait for the current read of {@code hbase:quota}; owned by the loop. */
  private final List<CompletableFuture<Optional<QuotaContents>>> quotaReaders = new ArrayList<>();

  private Optional<ClusterView> last = Optional.empty();
  private long lastNanos;

  /**
   * Creates the pages.
   *
   * @param master returns the master; empty in the first moments of a start
   */
  public MasterPages(Supplier<Optional<Master>> master) {
    this.master = master;
  }

  /** Builds a page of the cluster. */
  private interface Builder {
    List<Section> sections(ClusterView cluster, long nowMillis);
  }

  /** Returns all pages but the first. */
  public List<PageSource> pages() {
    return List.of(
        page(
            info("servers", "Region servers", "The live and the dead region servers."),
            (cluster, now) -> ServerTables.sections(cluster, now)),
        page(
            info("tables", "Tables", "All tables, with sizes and requests.")
                .alsoAt("tablesDetailed.jsp"),
            (cluster, now) -> List.of(TableTables.of("tables", "Tables", cluster))),
        PageSource.of(
            info("table", "Table", "One table: its families, indexes and regions.")
                .with("name", "the table's name", true)
                .alsoAt("table.jsp"),
            request -> TablePage.build(view(), request)),
        page(
            info("regions", "Regions", "All regions, with sizes, requests, locality and state."),
            (cluster, now) -> List.of(RegionTables.of("regions", "Regions", cluster.regions()))),
        page(
            info(
                "transitions",
                "Regions in transition",
                "The regions that are not in their target state or refuse all calls, with the reason and"
                    + " since when."),
            (cluster, now) -> List.of(RegionTables.inTransition(cluster.inTransition(), now))),
        page(
            info(
                    "procedures",
                    "Procedures and locks",
                    "The master's procedures, recoveries of servers, locks and switches.")
                .alsoAt("procedures.jsp"),
            (cluster, now) -> ProcedureTables.sections(cluster)),
        page(
            info(
                "balancer",
                "Balancer",
                "The load of servers, and the last runs of the balancer with their reasons."),
            (cluster, now) -> BalancerTables.sections(cluster)),
        PageSource.of(
            info(
                "quotas",
                "Quotas",
                "The limits on requests, and the limits on the space of tables and namespaces with"
                    + " the space in use."),
            request -> new Page("Quotas", quotas(view()))),
        PageSource.of(
            info("snapshots", "Snapshots", "All snapshots.").alsoAt("snapshot.jsp"),
            request ->
                Page.of(
                    "Snapshots",
                    SnapshotTables.of(new SnapshotDirectory(running().context().storage())))));
  }

  /** Returns the procedures as events; none if this master does not lead. */
  public List<Timeline.Event> events() {
    try {
      return ProcedureTables.events(view(), now());
    } catch (PageException e) {
      return List.of();
    }
  }

  /** Returns the parts of the first page: key numbers, servers and tables. */
  public List<Section> overview() throws PageException {
    return MasterOverview.sections(view(), now());
  }

  private static PageInfo info(String id, String title, String sentence) {
    return PageInfo.of(id, title, MenuGroup.CLUSTER, sentence);
  }

  private PageSource page(PageInfo info, Builder builder) {
    return PageSource.of(info, request -> new Page(info.title(), builder.sections(view(), now())));
  }

  private long now() throws PageException {
    return running().context().clock().currentTimeMillis();
  }

  private Master running() throws PageException {
    return master.get().orElseThrow(() -> PageException.unavailable("The master is starting."));
  }

  private List<Section> quotas(ClusterView cluster) throws PageException {
    List<Section> sections = new ArrayList<>();
    try {
      Optional<QuotaContents> settings = quotaSettings(running());
      if (settings.isPresent()) {
        sections.addAll(QuotaTables.throttles(settings.get()));
      } else {
        sections.add(new Notice(Level.PLAIN, "Quotas are off: hbase.quota.enabled is false."));
      }
    } catch (IOException e) {
      sections.add(new Notice(Level.WARN, "hbase:quota cannot be read: " + e.getMessage()));
    }
    sections.add(SpaceTables.of(cluster.spaces()));
    return sections;
  }

  /** Reads {@code hbase:quota}; empty if quotas are off. */
  private Optional<QuotaContents> quotaSettings(Master running) throws IOException {
    return running
        .loop()
        .request(
            future ->
                running
                    .active()
                    .filter(active -> active.quotas().isEnabled())
                    .ifPresentOrElse(
                        active -> readQuotas(active, future),
                        () -> future.complete(Optional.empty())),
            PATIENCE);
  }

  /** Waits for the current read, or begins one. Called by the loop's owner. */
  private void readQuotas(ActiveMaster active, CompletableFuture<Optional<QuotaContents>> reader) {
    quotaReaders.add(reader);
    if (quotaReaders.size() == 1) {
      active
          .quotas()
          .readAll(
              contents -> answerQuotas(waiting -> waiting.complete(Optional.of(contents))),
              cause -> answerQuotas(waiting -> waiting.completeExceptionally(cause)));
    }
  }

  private void answerQuotas(Consumer<CompletableFuture<Optional<QuotaContents>>> answer) {
    List<CompletableFuture<Optional<QuotaContents>>> waiting = List.copyOf(quotaReaders);
    quotaReaders.clear();
    waiting.forEach(answer);
  }

  /** Copies the cluster's state, or returns the last copy if it is young. */
  private synchronized ClusterView view() throws PageException {
    Master running = running();
    long now = running.context().clock().nanoTime();
    if (last.isPresent() && now - lastNanos < REUSE_NANOS) {
      return last.get();
    }
    last = ask(running);
    lastNanos = now;
    return last.orElseThrow(() -> PageException.unavailable(other(running)));
  }

  private static Optional<ClusterView> ask(Master running) throws PageException {
    try {
      return running
          .loop()
          .<Optional<ClusterView>>request(
              future -> future.complete(running.active().map(ClusterView::of)), PATIENCE);
    } catch (IOException e) {
      throw PageException.unavailable("The master does not answer: " + e.getMessage());
    }
  }

  private static String other(Master running) {
    Optional<ServerName> leader = running.context().coordination().state().activeMaster();
    return leader
        .filter(name -> !name.equals(running.self()))
        .map(name -> "This is a backup master. The active master is " + name.hostAndPort() + ".")
        .orElse("This master does not lead yet.");
  }
}
