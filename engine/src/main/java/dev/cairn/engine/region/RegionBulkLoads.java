package dev.cairn.engine.region;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.constraint.ColumnRules;
import dev.cairn.engine.constraint.ConstraintReport;
import dev.cairn.engine.region.bulkload.BulkLoadJournal;
import dev.cairn.engine.region.bulkload.BulkLoadMarker;
import dev.cairn.engine.region.bulkload.BulkLoadOutcome;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.feed.RegionFeed;
import dev.cairn.engine.region.flush.RegionFlusher;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.LoadableFile;
import dev.cairn.engine.store.LoadableFile.UnloadableFileException;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreFileHook;
import dev.cairn.engine.store.StoreFileHook.Move;
import dev.cairn.engine.time.OneAtATime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.BulkLoadDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.StoreDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads store files into a region, one load at a time.
 *
 * <p>A load flushes all stores, and takes its sequence number at the start of that flush. As in
 * HBase, the number is in the files' names ({@code _SeqId_n_}). Writes with lower numbers are
 * flushed, and later writes are newer than the loaded cells. It is above the numbers that files
 * keep, so that no later write has one of those: a replay would take it for flushed. No other flush
 * begins before the files are in their stores. Reads and writes continue. All files become visible
 * together.
 */
final class RegionBulkLoads {
  private static final Logger LOG = LoggerFactory.getLogger(RegionBulkLoads.class);

  private final RegionInfo info;
  private final RegionStores stores;
  private final RegionContext context;
  private final ColumnRules constraints;
  private final RegionFlusher flusher;
  private final RegionWriter writer;
  private final BulkLoadJournal journal;
  private final Optional<RegionFeed> feed;
  private final OneAtATime loads;

  /** The steps that are still to be done for failed or ended loads, by load id. */
  private final Map<String, Step> unfinished = new ConcurrentHashMap<>();

  /** Undoes a failed load, or deletes the record of one that has ended. May be repeated. */
  private interface Step {
    void run() throws IOException;
  }

  RegionBulkLoads(
      RegionInfo info,
      RegionStores stores,
      RegionContext context,
      ColumnRules constraints,
      RegionFlusher flusher,
      RegionWriter writer,
      BulkLoadJournal journal,
      Optional<RegionFeed> feed) {
    this.info = info;
    this.stores = stores;
    this.context = context;
    this.constraints = constraints;
    this.flusher = flusher;
    this.writer = writer;
    this.journal = journal;
    this.feed = feed;
    this.loads = new OneAtATime(context.stores().clock());
  }

  /** A file with the store that it belongs to. */
  private record Planned(Store store, String path, String namePrefix) {}

  /**
   * Loads files.
   *
   * @throws UnloadableFileException if a file fits into no region of the table; no file is loaded
   *     then
   */
  BulkLoadOutcome load(BulkLoadRequest request) throws IOException {
    while (!loads.tryBegin()) {
      loads.awaitEnd();
    }
    try {
      finishEarlier();
      List<Planned> plan = plan(request);
      if (plan.isEmpty()) {
        return new BulkLoadOutcome.Loaded(List.of());
      }
      Optional<String> misfit = check(plan, request.check());
      return misfit.isPresent()
          ? new BulkLoadOutcome.OutsideRegion(misfit.get())
          : new BulkLoadOutcome.Loaded(load(request, plan, keptSequence(request, plan)));
    } finally {
      loads.end();
    }
  }

  /** Tells whether something of an earlier load waits for {@link #finish}. */
  boolean hasUnfinished() {
    return !unfinished.isEmpty();
  }

  /**
   * Moves the files of failed loads back to where they came from, and deletes the records of loads
   * that have ended, where that has failed before.
   */
  void finish() throws IOException {
    if (hasUnfinished() && loads.tryBegin()) {
      try {
        finishEarlier();
      } finally {
        loads.end();
      }
    }
  }

  private void finishEarlier() throws IOException {
    for (Map.Entry<String, Step> load : unfinished.entrySet()) {
      load.getValue().run();
      unfinished.remove(load.getKey());
    }
  }

  /** Undoes a load because of {@code cause}; if that fails, it is tried again later. */
  private void undo(String id, Throwable cause, Step undo) {
    try {
      undo.run();
    } catch (IOException again) {
      cause.addSuppressed(again);
      unfinished.put(id, undo);
    }
  }

  /** Returns the files that no earlier attempt has loaded. */
  private List<Planned> plan(BulkLoadRequest request) throws IOException {
    List<Planned> plan = new ArrayList<>();
    for (BulkLoadRequest.File file : request.files()) {
      Store store = stores.find(file.family());
      if (store == null) {
        throw new UnloadableFileException(
            file.path(),
            "%s has no column family %s"
                .formatted(info.regionNameAsString(), Bytes.toStringBinary(file.family())));
      }
      String prefix = request.namePrefix(file);
      if (!store.hasLoaded(prefix)) {
        plan.add(new Planned(store, file.path(), prefix));
      }
    }
    return plan;
  }

  private Optional<String> check(List<Planned> plan, BulkLoadRequest.Check check)
      throws IOException {
    for (Planned file : plan) {
      Optional<String> misfit =
          check == BulkLoadRequest.Check.ALL || hasConstraints(file)
              ? checkCells(file)
              : LoadableFile.check(context.stores(), file.path(), info, file.store().family());
      if (misfit.isPresent()) {
        return misfit;
      }
    }
    return Optional.empty();
  }

  private boolean hasConstraints(Planned file) {
    byte[] family = file.store().family().name();
    return constraints.all().stream().anyMatch(rule -> Arrays.equals(rule.family(), family));
  }

  /**
   * Reads a whole file. Values that break a constraint are logged, because files are often made
   * before the constraint; they are refused if the table is strict.
   */
  private Optional<String> checkCells(Planned file) throws IOException {
    ConstraintReport values = new ConstraintReport(constraints);
    Optional<String> misfit =
        LoadableFile.checkCells(context.stores(), file.path(), info, file.store().family(), values);
    Optional<String> broken = misfit.isPresent() ? Optional.empty() : values.text();
    if (broken.isPresent() && constraints.isStrict()) {
      throw new UnloadableFileException(file.path(), broken.get());
    }
    broken.ifPresent(
        text -> LOG.warn("The file {} is loaded into {}; {}", file.path(), info, text));
    return misfit;
  }

  /** Returns the highest number that a file keeps, 0 if none keeps its numbers. */
  private long keptSequence(BulkLoadRequest request, List<Planned> plan) throws IOException {
    boolean renumbered = request.sequence() == BulkLoadRequest.Sequence.NEW;
    long highest = 0;
    for (Planned file : plan) {
      highest =
          Math.max(
              highest, LoadableFile.keptSequence(context.stores(), file.path(), info, renumbered));
    }
    return highest;
  }

  private List<String> load(BulkLoadRequest request, List<Planned> plan, long kept)
      throws IOException {
    String id = request.id();
    try (RegionFlusher.Hold hold = flusher.hold()) {
      long sequence = stage(id, plan, kept, hold);
      String suffix =
          request.sequence() == BulkLoadRequest.Sequence.NEW ? "_SeqId_" + sequence + "_" : "";
      BulkLoadDescriptor names = describe(sequence, plan, file -> file.namePrefix() + suffix);
      if (context.stores().hook() == StoreFileHook.NONE) {
        return takeIn(id, plan, names);
      }
      List<Move> moves = plan.stream().map(file -> move(file, file.namePrefix() + suffix)).toList();
      tellBegin(id, plan, moves);
      List<String> paths = takeIn(id, plan, names);
      tellEnd(plan, moves);
      return paths;
    }
  }

  private Move move(Planned file, String name) {
    RegionDirectory directory = RegionDirectory.of(context.dataDirectory(), info);
    return new Move(
        file.path(), Storage.join(directory.family(file.store().family().nameAsString()), name));
  }

  private void tellBegin(String id, List<Planned> plan, List<Move> moves) throws IOException {
    try {
      for (Store store : plan.stream().map(Planned::store).distinct().toList()) {
        List<Move> own =
            IntStream.range(0, plan.size())
                .filter(i -> plan.get(i).store() == store)
                .mapToObj(moves::get)
                .toList();
        context.stores().hook().loadBegins(info, store.family(), own);
      }
    } catch (IOException | RuntimeException | Error e) {
      undo(id, e, () -> journal.undo(id));
      throw e;
    }
  }

  private void tellEnd(List<Planned> plan, List<Move> moves) {
    try {
      for (int i = 0; i < plan.size(); i++) {
        context.stores().hook().loadEnds(info, plan.get(i).store().family(), moves.get(i));
      }
    } catch (RuntimeException | LinkageError e) { // the region is not affected
      LOG.warn("A hook failed after a bulk load into {}", info, e);
    }
  }

  /** Moves the files into the region's directory, flushes, and returns the load's number. */
  private long stage(String id, List<Planned> plan, long kept, RegionFlusher.Hold hold)
      throws IOException {
    try {
      journal.stage(id, describe(0, plan, Planned::path));
      return hold.flush(kept);
    } catch (IOException | RuntimeException | Error e) {
      undo(id, e, () -> journal.undo(id));
      throw e;
    }
  }

  /** Commits the load and makes its files visible. */
  private List<String> takeIn(String id, List<Planned> plan, BulkLoadDescriptor names)
      throws IOException {
    List<StoreFile> files = new ArrayList<>();
    try {
      journal.commit(id, names);
      for (int i = 0; i < plan.size(); i++) {
        files.add(plan.get(i).store().adopt(journal.move(id, names, i)));
      }
      journal.done(id);
    } catch (FencedException e) {
      files.forEach(StoreFile::close);
      throw e; // The next owner completes or undoes the load.
    } catch (IOException | RuntimeException | Error e) {
      files.forEach(StoreFile::close);
      undo(id, e, () -> giveUp(id, plan, names, files));
      throw e;
    }
    feed.ifPresent(RegionFeed::loadBegins);
    try {
      stores.publishTogether(
          () -> {
            for (int i = 0; i < plan.size(); i++) {
              plan.get(i).store().show(files.get(i));
            }
          });
    } finally {
      feed.ifPresent(RegionFeed::loadEnds);
    }
    if (log(names)) {
      forget(id);
    }
    return files.stream().map(StoreFile::path).toList();
  }

  /**
   * Undoes a committed load before any of its files is visible. The next owner of the region
   * completes the load if this has not succeeded until then.
   */
  private void giveUp(
      String id, List<Planned> plan, BulkLoadDescriptor names, List<StoreFile> adopted)
      throws IOException {
    for (int i = 0; i < adopted.size(); i++) {
      plan.get(i).store().reject(adopted.get(i));
    }
    journal.takeBack(id, names);
  }

  /** Deletes the record of a load that is done; if that fails, it is tried again later. */
  private void forget(String id) {
    try {
      journal.forget(id);
    } catch (IOException e) {
      LOG.warn("The record of the bulk load {} of {} stays for now: {}", id, info, e.toString());
      unfinished.put(id, () -> journal.forget(id));
    }
  }

  /** Logs the load, as HBase does. Returns false if the log does not have the entry yet. */
  private boolean log(BulkLoadDescriptor names) throws IOException {
    long now = context.stores().clock().currentTimeMillis();
    return writer.log(BulkLoadMarker.of(info, names, now)).outcome()
        instanceof MutationOutcome.Done;
  }

  private BulkLoadDescriptor describe(
      long sequence, List<Planned> plan, Function<Planned, String> name) {
    BulkLoadDescriptor.Builder all = BulkLoadMarker.builder(info, sequence);
    for (Planned file : plan) {
      all.addStores(
          StoreDescriptor.newBuilder()
              .setFamilyName(UnsafeByteOperations.unsafeWrap(file.store().family().name()))
              .setStoreHomeDir(file.store().family().nameAsString())
              .addStoreFile(name.apply(file)));
    }
    return all.build();
  }
}
