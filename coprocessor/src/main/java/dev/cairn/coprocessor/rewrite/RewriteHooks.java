package dev.cairn.coprocessor.rewrite;

import dev.cairn.coprocessor.facade.DeleteHook;
import dev.cairn.coprocessor.facade.FileFacade;
import dev.cairn.coprocessor.facade.RegionFacade;
import dev.cairn.coprocessor.facade.StoreFacade;
import dev.cairn.coprocessor.measure.MeasuredRegionHost;
import dev.cairn.engine.scan.retention.CompactionCursor;
import dev.cairn.engine.scan.retention.RetainedCells;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.store.StoreFileHook;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the hooks of a region's coprocessors around its flushes and compactions. A hook that throws
 * before the new file is written fails the flush or compaction, which is tried again; after that,
 * its failure is logged. Nothing is called before {@link #started} and after {@link #stopped}.
 * Thread-safe.
 */
public final class RewriteHooks implements StoreFileHook {
  private static final Logger LOG = LoggerFactory.getLogger(RewriteHooks.class);
  private static final FlushLifeCycleTracker FLUSH = FlushLifeCycleTracker.DUMMY;
  private static final CompactionLifeCycleTracker COMPACTION = CompactionLifeCycleTracker.DUMMY;
  private static final String DELETES = "postInstantiateDeleteTracker";

  private final Map<Rewrite, RequestOfCompaction> requests = new ConcurrentHashMap<>();
  private volatile Optional<Running> running = Optional.empty();

  /**
   * Coprocessors that run.
   *
   * @param hooks the names of those that one of them overrides
   */
  private record Running(MeasuredRegionHost host, RegionFacade region, Set<String> hooks) {
    boolean has(String hook) {
      return hooks.contains(hook);
    }

    StoreFacade store(FamilySchema family) {
      return region.store(family.name());
    }
  }

  /**
   * Begins to call hooks.
   *
   * @param overridden the names of the hooks of {@code RegionObserver} that some coprocessor
   *     overrides; the host is asked for these alone
   */
  public void started(MeasuredRegionHost host, RegionFacade region, Set<String> overridden) {
    running = Optional.of(new Running(host, region, Set.copyOf(overridden)));
  }

  /** Calls no hooks from now on. */
  public void stopped() {
    running = Optional.empty();
  }

  private Optional<Running> ifOverridden(String hook) {
    return running.filter(one -> one.has(hook));
  }

  @Override
  public boolean choosesFiles() {
    return ifOverridden("preCompactSelection").isPresent()
        || ifOverridden("postCompactSelection").isPresent();
  }

  @Override
  public boolean changesCells() {
    return ifOverridden("preFlush").isPresent()
        || ifOverridden("preFlushScannerOpen").isPresent()
        || ifOverridden("preCompact").isPresent()
        || ifOverridden("preCompactScannerOpen").isPresent()
        || ifOverridden(DELETES).isPresent();
  }

  @Override
  public void flushBegins(RegionInfo region, List<FamilySchema> families) throws IOException {
    Optional<Running> hooks = ifOverridden("preFlush");
    if (hooks.isPresent()) {
      hooks.get().host().preFlush(FLUSH);
    }
  }

  @Override
  public void flushEnds(RegionInfo region, List<FamilySchema> families, OptionalInt files) {
    if (files.isPresent()) {
      ifOverridden("postFlush")
          .ifPresent(one -> attempt("postFlush", one, () -> one.host().postFlush(FLUSH)));
    }
  }

  @Override
  public List<Candidate> select(
      RegionInfo region,
      FamilySchema family,
      List<Candidate> candidates,
      boolean major,
      Optional<String> requester,
      UnaryOperator<List<Candidate>> policy)
      throws IOException {
    Optional<Running> hooks = running;
    if (hooks.isEmpty()) {
      return policy.apply(candidates);
    }
    Running one = hooks.get();
    StoreFacade store = one.store(family);
    User user = user(requester);
    List<Candidate> chosen =
        one.has("preCompactSelection")
            ? selected(one, store, candidates, user, policy)
            : policy.apply(candidates);
    if (one.has("postCompactSelection")) {
      RequestOfCompaction request =
          request(store, chosen, chosen.size() == candidates.size(), requester);
      one.host().postCompactSelection(store, request.files(), COMPACTION, request, user);
    }
    return chosen;
  }

  /**
   * Lets hooks change a list of the files. The list counts only if they bypass the store's own
   * choice.
   */
  private static List<Candidate> selected(
      Running one,
      StoreFacade store,
      List<Candidate> candidates,
      User user,
      UnaryOperator<List<Candidate>> policy)
      throws IOException {
    List<HStoreFile> files = new ArrayList<>(candidates.stream().map(store::file).toList());
    if (!one.host().preCompactSelection(store, files, COMPACTION, user)) {
      return policy.apply(candidates);
    }
    List<String> names = files.stream().map(RewriteHooks::name).toList();
    List<Candidate> chosen =
        candidates.stream().filter(file -> names.contains(file.name())).toList();
    if (chosen.size() != names.size()) {
      throw new IOException(
          "A coprocessor chooses files for a compaction of "
              + one.region()
              + " that are not among its candidates: "
              + files);
    }
    if (!chosen.isEmpty()) {
      int from = candidates.indexOf(chosen.get(0));
      if (!candidates.subList(from, candidates.size()).subList(0, chosen.size()).equals(chosen)) {
        throw new IOException(
            "A coprocessor chooses files for a compaction of "
                + one.region()
                + " and leaves out one between them: "
                + files);
      }
    }
    return chosen;
  }

  private static String name(HStoreFile file) {
    return file instanceof FileFacade own ? own.file().name() : file.getPath().getName();
  }

  /** Returns a user; null if none is known. */
  static User user(Optional<String> requester) {
    return requester
        .map(name -> User.create(UserGroupInformation.createRemoteUser(name)))
        .orElse(null);
  }

  private static RequestOfCompaction request(
      StoreFacade store, List<Candidate> files, boolean areAll, Optional<String> requester) {
    return new RequestOfCompaction(
        files.stream().map(store::file).toList(),
        files.stream().mapToLong(Candidate::bytes).sum(),
        areAll,
        requester.isPresent(),
        store.clock().currentTimeMillis());
  }

  @Override
  public void begin(Rewrite rewrite) {
    if (!rewrite.isFlush()) {
      running.ifPresent(
          one ->
              requests.put(
                  rewrite,
                  request(
                      one.store(rewrite.family()),
                      rewrite.inputs(),
                      rewrite.mode() == CompactionCursor.Mode.MAJOR,
                      rewrite.requester())));
    }
  }

  private static ScanType type(Rewrite rewrite) {
    return rewrite.mode() == CompactionCursor.Mode.MAJOR
        ? ScanType.COMPACT_DROP_DELETES
        : ScanType.COMPACT_RETAIN_DELETES;
  }

  @Override
  public Retention retention(Rewrite rewrite, Retention stored) throws IOException {
    Retention kept = kept(rewrite, stored);
    return ifOverridden(DELETES).map(one -> kept.deleting(new DeleteHook(one.host()))).orElse(kept);
  }

  /** Returns the rules with the options for a scan that hooks set. */
  private Retention kept(Rewrite rewrite, Retention stored) throws IOException {
    Optional<Running> hooks =
        ifOverridden(rewrite.isFlush() ? "preFlushScannerOpen" : "preCompactScannerOpen");
    if (hooks.isEmpty()) {
      return stored;
    }
    RegionCoprocessorHost host = hooks.get().host();
    StoreFacade store = hooks.get().store(rewrite.family());
    ScanInfo wanted =
        rewrite.isFlush()
            ? host.preFlushScannerOpen(store, FLUSH)
            : host.preCompactScannerOpen(
                store, type(rewrite), COMPACTION, requests.get(rewrite), user(rewrite.requester()));
    return wanted == store.getScanInfo()
        ? stored
        : retention(stored.family(), store.getScanInfo(), wanted);
  }

  private static Retention retention(FamilySchema family, ScanInfo stored, ScanInfo wanted)
      throws IOException {
    if (wanted.getMaxVersions() < 1 || wanted.getMinVersions() < 0 || wanted.getTtl() < 1) {
      throw new IOException(
          "A coprocessor sets impossible options for a flush or compaction of the family "
              + family.nameAsString()
              + ": versions "
              + wanted.getMaxVersions()
              + ", at least "
              + wanted.getMinVersions()
              + ", for "
              + wanted.getTtl()
              + " ms");
    }
    return new Retention(
        dev.cairn.coprocessor.convert.Retention.of(family, stored, wanted),
        wanted.getTimeToPurgeDeletes());
  }

  @Override
  public RetainedCells wrap(Rewrite rewrite, RetainedCells retained) throws IOException {
    Optional<Running> hooks = ifOverridden(rewrite.isFlush() ? "preFlush" : "preCompact");
    if (hooks.isEmpty()) {
      return retained;
    }
    MeasuredRegionHost host = hooks.get().host();
    StoreFacade store = hooks.get().store(rewrite.family());
    RowsOfCells rows = new RowsOfCells(retained);
    InternalScanner wrapped =
        rewrite.isFlush()
            ? host.preFlush(store, rows, FLUSH)
            : host.preCompact(
                store,
                rows,
                type(rewrite),
                COMPACTION,
                requests.get(rewrite),
                user(rewrite.requester()));
    return wrapped == rows && !rows.hasBegun()
        ? retained
        : new CellsOfRows(
            wrapped, retained, rewrite.region(), rewrite.family().name(), host.meter());
  }

  @Override
  public void end(Rewrite rewrite, Candidate file) {
    RequestOfCompaction request = requests.remove(rewrite);
    if (rewrite.isFlush()) {
      ifOverridden("postFlush")
          .ifPresent(
              one -> {
                StoreFacade store = one.store(rewrite.family());
                attempt(
                    "postFlush", one, () -> one.host().postFlush(store, store.file(file), FLUSH));
              });
      return;
    }
    ifOverridden("postCompact")
        .ifPresent(
            one -> {
              StoreFacade store = one.store(rewrite.family());
              User user = user(rewrite.requester());
              attempt(
                  "postCompact",
                  one,
                  () -> one.host().postCompact(store, store.file(file), COMPACTION, request, user));
            });
  }

  @Override
  public void loadBegins(RegionInfo region, FamilySchema family, List<Move> files)
      throws IOException {
    Optional<Running> hooks = ifOverridden("preCommitStoreFile");
    if (hooks.isPresent()) {
      StoreFacade store = hooks.get().store(family);
      List<Pair<Path, Path>> moves = new ArrayList<>();
      files.forEach(file -> moves.add(new Pair<>(store.path(file.from()), store.path(file.to()))));
      hooks.get().host().preCommitStoreFile(family.name(), moves);
    }
  }

  @Override
  public void loadEnds(RegionInfo region, FamilySchema family, Move file) {
    ifOverridden("postCommitStoreFile")
        .ifPresent(
            one -> {
              StoreFacade store = one.store(family);
              attempt(
                  "postCommitStoreFile",
                  one,
                  () ->
                      one.host()
                          .postCommitStoreFile(
                              family.name(), store.path(file.from()), store.path(file.to())));
            });
  }

  @Override
  public void opened(RegionInfo region, FamilySchema family, Candidate file) throws IOException {
    boolean before = ifOverridden("preStoreFileReaderOpen").isPresent();
    Optional<Running> hooks = before ? running : ifOverridden("postStoreFileReaderOpen");
    if (hooks.isPresent()) {
      new ReaderHooks(hooks.get().host(), hooks.get().store(family)).check(file);
    }
  }

  @Override
  public void abandoned(Rewrite rewrite) {
    requests.remove(rewrite);
  }

  /** A call of a hook whose failure changes nothing. */
  @FunctionalInterface
  private interface Call {
    void run() throws IOException;
  }

  private static void attempt(String hook, Running one, Call call) {
    try {
      call.run();
    } catch (IOException | RuntimeException e) {
      LOG.warn("A coprocessor of {} failed in {}; the new file is in force", one.region(), hook, e);
    }
  }
}
