package dev.cairn.engine.store;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.FileAccess;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.hfile.cache.WrittenBlocks;
import dev.cairn.engine.hfile.format.HFileSettings;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.memstore.NonceList;
import dev.cairn.engine.mob.MobWriter;
import dev.cairn.engine.scan.merge.MergingCursor;
import dev.cairn.engine.scan.retention.BigRow;
import dev.cairn.engine.scan.retention.CompactionCursor;
import dev.cairn.engine.scan.retention.ReadHorizon;
import dev.cairn.engine.scan.retention.RetainedCells;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.store.StoreFileHook.Retention;
import dev.cairn.engine.store.StoreFileHook.Rewrite;
import dev.cairn.engine.store.index.IndexCollector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes and syncs store files, publishes them, and shows them to reads in place of what they were
 * made of. A {@link StoreFileHook} sees all of that. The writer publishes files through the store's
 * tracker: a file is either written in the owner's scratch directory and moved to its place, or
 * written in its place and then listed. The next opening of the region sweeps files that a crash
 * has left. After another owner has taken over, neither way publishes anything.
 *
 * <p>A file whose rename or first opening fails is deleted; while that fails, too, no other file is
 * written ({@link Leftovers}). Thread-safe.
 */
final class StoreFileWriter {
  private static final Logger LOG = LoggerFactory.getLogger(StoreFileWriter.class);

  private final Store store;

  /**
   * A file to write.
   *
   * @param sources its cells
   * @param sequence every write up to it is in this file or an older one
   * @param inputs the files that it replaces
   * @param mob writes large values
   * @param kept keeps blocks in the cache
   */
  private record Output(
      Rewrite rewrite,
      List<CellCursor> sources,
      HFileOptions options,
      long sequence,
      List<StoreFile> inputs,
      NonceList nonces,
      Optional<MobWriter> mob,
      Optional<WrittenBlocks> kept,
      Progress progress) {}

  StoreFileWriter(Store store) {
    this.store = store;
  }

  /**
   * Writes segments to one file, which replaces them.
   *
   * @param oldest the oldest read that the file must serve
   * @param hurry asked again and again; once it is true, the writer waits no more
   */
  StoreFile flush(
      List<MemStoreSegment> segments, long sequence, ReadHorizon oldest, BooleanSupplier hurry)
      throws IOException {
    List<CellCursor> sources = new ArrayList<>();
    NonceList nonces = new NonceList();
    long newest = 0;
    boolean tags = false;
    for (int i = segments.size() - 1; i >= 0; i--) {
      segments.get(i).nonces().forEach(nonces::add);
    }
    for (MemStoreSegment segment : segments) {
      sources.add(segment.cursor(Long.MAX_VALUE));
      tags |= segment.mayHaveTags();
      newest = Math.max(newest, segment.maxTimestamp());
    }
    CompactionCursor.Mode mode = CompactionCursor.Mode.FLUSH;
    Optional<MobWriter> mob =
        store.family().isMob() ? Optional.of(mob(mode, newest, false)) : Optional.empty();
    long biggest = segments.stream().mapToLong(MemStoreSegment::largestCellBytes).max().orElse(0);
    try (LargeCellLoan loan = borrow(biggest, 0, hurry);
        ThroughputController.Run run = store.context().paces().flushes().begin()) {
      Progress progress = new Progress(run, hurry, () -> false, Optional.empty());
      Output output =
          new Output(
              rewrite(mode, List.of(), Optional.empty(), oldest),
              sources,
              options(mode, tags || mob.isPresent()),
              sequence,
              List.of(),
              nonces,
              mob,
              Optional.empty(),
              progress);
      return write(output, file -> store.replace(segments, file)).orElseThrow();
    }
  }

  /**
   * Merges files into one, which replaces them.
   *
   * @param mobValues whether values that lie in MOB files are written anew
   * @param requester the user who asked for the compaction; empty if the server began it
   * @param stop asked again and again; once it is true, the writer stops
   * @param running counts the cells
   * @return the file, empty if it was stopped
   */
  Optional<StoreFile> merge(
      List<StoreFile> inputs,
      boolean major,
      boolean mobValues,
      Optional<String> requester,
      long oldestReadPoint,
      BooleanSupplier stop,
      RunningCompaction running)
      throws IOException {
    List<CellCursor> sources = new ArrayList<>();
    ReadMetrics read = ReadMetrics.unused();
    long sequence = 0;
    long newest = 0;
    long biggest = 0;
    boolean references = store.family().isMob();
    boolean tags = false;
    for (int i = inputs.size() - 1; i >= 0; i--) {
      sources.add(inputs.get(i).cursor(false, read));
      sequence = Math.max(sequence, inputs.get(i).flushedSequence());
      newest = Math.max(newest, inputs.get(i).reader().info().maxTimestamp());
      biggest = Math.max(biggest, inputs.get(i).reader().info().biggestCellBytes());
      references |= !inputs.get(i).mobFiles().isEmpty();
      tags |= inputs.get(i).reader().info().mayHaveTags();
    }
    CompactionCursor.Mode mode = major ? CompactionCursor.Mode.MAJOR : CompactionCursor.Mode.MINOR;
    Optional<MobWriter> mob =
        references ? Optional.of(mob(mode, newest, mobValues)) : Optional.empty();
    Optional<WrittenBlocks> kept =
        store.family().blockCache()
            ? Optional.of(new WrittenBlocks(store.context().cache(), mostlyCached(read)))
            : Optional.empty();
    Optional<StoreFile> result = Optional.empty();
    try (LargeCellLoan loan = borrow(biggest, inputs.size(), stop);
        ThroughputController.Run run = store.context().paces().compactions().begin()) {
      Progress progress = new Progress(run, stop, stop, Optional.of(running));
      long now = store.context().clock().currentTimeMillis();
      ReadHorizon oldest = new ReadHorizon(oldestReadPoint, now);
      NonceList nonces = new NonceList();
      for (StoreFile input : inputs) {
        input.readNonces(store.context().oldestNonceMillis(), nonces::add);
        input.loadedId().ifPresent(load -> nonces.add(load.group(), load.number(), now));
      }
      Output output =
          new Output(
              rewrite(mode, inputs, requester, oldest),
              sources,
              options(mode, tags || references),
              sequence,
              inputs,
              nonces,
              mob,
              kept,
              progress);
      result = write(output, file -> store.replace(Set.copyOf(inputs), file));
      return result;
    } finally {
      if (result.isEmpty()) {
        kept.ifPresent(WrittenBlocks::discard);
      }
    }
  }

  private LargeCellLoan borrow(long biggestCellBytes, int inputs, BooleanSupplier hurry) {
    StoreContext context = store.context();
    return LargeCellLoan.take(context.memory(), context.clock(), biggestCellBytes, inputs, hurry);
  }

  private Rewrite rewrite(
      CompactionCursor.Mode mode,
      List<StoreFile> inputs,
      Optional<String> requester,
      ReadHorizon oldest) {
    return new Rewrite(
        store.info(),
        store.family(),
        mode,
        inputs.stream().map(HookedSelection::candidate).toList(),
        requester,
        oldest);
  }

  /**
   * Writes a file and publishes it. The hook hears of it.
   *
   * @param show lets reads see the file
   * @return the file, empty if the writer was stopped
   */
  private Optional<StoreFile> write(Output output, Consumer<StoreFile> show) throws IOException {
    StoreFileHook hook = store.context().hook();
    hook.begin(output.rewrite());
    Optional<StoreFileHook.Candidate> shown = Optional.empty();
    try {
      Optional<StoreFile> written;
      try {
        written = write(output);
      } catch (StoppedException e) {
        return Optional.empty();
      }
      written.ifPresent(show);
      shown = written.map(HookedSelection::candidate);
      return written;
    } finally {
      tellEnd(hook, output.rewrite(), shown);
    }
  }

  private static void tellEnd(
      StoreFileHook hook, Rewrite rewrite, Optional<StoreFileHook.Candidate> file) {
    try {
      if (file.isPresent()) {
        hook.end(rewrite, file.get());
      } else {
        hook.abandoned(rewrite);
      }
    } catch (RuntimeException | LinkageError e) { // the store is not affected
      LOG.warn("A hook failed after {}", rewrite, e);
    }
  }

  private Optional<StoreFile> write(Output output) throws IOException {
    StoreContext context = store.context();
    Rewrite rewrite = output.rewrite();
    List<StoreFile> inputs = output.inputs();
    store.leftovers().deleteStrays();
    String name = context.fileNames().get();
    String path = store.finalPath(name);
    boolean major = rewrite.mode() == CompactionCursor.Mode.MAJOR;
    Retention rules = retention(rewrite);
    List<BigRow> bigRows;
    String unpublished;
    try (MobWriter large = output.mob().orElse(null); // null is not closed
        CompactionCursor cells =
            new CompactionCursor(
                MergingCursor.of(store.comparator(), output.sources()),
                rules.family(),
                rewrite.mode(),
                rewrite.oldest().nowMillis(),
                rewrite.oldest().readPoint(),
                rules.purgeDeletesAfterMillis(),
                inputs.stream().mapToLong(StoreFile::earliestPut).min().orElse(Long.MIN_VALUE),
                rules.deletes());
        RetainedCells retained = hooked(output, cells);
        HFileWriter file =
            new HFileWriter(
                context.storage(),
                create(name),
                output.options(),
                context.clock(),
                context.helpers(),
                output.kept());
        IndexCollector index = collector(name, output.progress())) {
      file.addMetaBlocks(index);
      // A stopped rewrite may lack the memory to read.
      if (output.progress().stop().getAsBoolean()) {
        return Optional.empty();
      }
      while (retained.next()) {
        Cell cell = retained.cell();
        if (large == null) {
          index.add(cell);
          file.append(cell);
        } else if (large.place(cell)) {
          index.add(large.placed());
          file.append(large.placed());
        }
        if (!output.progress().wrote(cell, cells.readCells())) {
          return Optional.empty();
        }
      }
      if (output.progress().stop().getAsBoolean()) {
        return Optional.empty(); // a hook may have ended for this reason
      }
      bigRows = cells.bigRows();
      file.setMaxSequence(output.sequence());
      file.setMajorCompaction(major);
      if (!inputs.isEmpty()) {
        var event =
            StoreFiles.compactionEvent(
                context.storage(), store.finalPath(""), inputs, store.dropped());
        file.putFileInfo(event.getKey(), event.getValue());
      } else if (cells.hasDropped() || context.hook().changesCells()) {
        file.putFileInfo(StoreFile.HAS_DROPPED, Bytes.ofLong(output.sequence()));
      }
      byte[] young = output.nonces().toBytes(context.oldestNonceMillis());
      if (young.length > 0) {
        file.appendMetaBlock(StoreFile.NONCES, young);
      }
      if (large != null) {
        large.describe(file);
      }
      unpublished = file.path();
      if (large == null) {
        file.finish();
      } else {
        large.complete(output.sequence(), major);
        file.finish();
        publish(large, unpublished);
      }
    }
    StoreFile published = publish(unpublished, path, inputs, output.kept());
    if (major) {
      store.bigRows().replace(bigRows);
    } else {
      store.bigRows().add(bigRows);
    }
    return Optional.of(published);
  }

  private Retention retention(Rewrite rewrite) throws IOException {
    long purgeAfter = store.context().settings().purgeDeletesAfterMillis();
    Retention stored = new Retention(store.family(), purgeAfter);
    Retention rules = store.context().hook().retention(rewrite, stored);
    if (!Arrays.equals(rules.family().name(), store.family().name())) {
      throw new IOException(
          "A hook keeps cells of " + store.family() + " by the rules of another family: " + rules);
    }
    return rules;
  }

  private RetainedCells hooked(Output output, CompactionCursor cells) throws IOException {
    StoreFileHook hook = store.context().hook();
    return hook == StoreFileHook.NONE
        ? cells
        : hook.wrap(output.rewrite(), new Stoppable(cells, output.progress().stop()));
  }

  /** The writer is to stop, while a hook reads the cells, or while an index is written. */
  private static final class StoppedException extends IOException {
    private static final long serialVersionUID = 1L;

    StoppedException() {
      super("the region closes");
    }
  }

  /** Stops a hook that takes many cells for each that it returns. */
  private record Stoppable(CompactionCursor cells, BooleanSupplier stop) implements RetainedCells {
    @Override
    public boolean next() throws IOException {
      if (stop.getAsBoolean()) {
        throw new StoppedException();
      }
      return cells.next();
    }

    @Override
    public Cell cell() {
      return cells.cell();
    }

    @Override
    public void close() {
      cells.close();
    }
  }

  private IndexCollector collector(String name, Progress progress) {
    StoreContext context = store.context();
    AtomicInteger runs = new AtomicInteger();
    return new IndexCollector(
        context.indexed(),
        context.storage(),
        context.cache(),
        context.clock(),
        () ->
            store
                .scratch()
                .create(
                    store.family().nameAsString() + "." + name + ".index" + runs.getAndIncrement()),
        progress::wroteIndex);
  }

  private AppendFile create(String name) throws IOException {
    return store.tracker().writesInPlace()
        ? store.context().storage().createIn(store.finalPath(name))
        : store.scratch().create(store.family().nameAsString() + "." + name);
  }

  /**
   * Tells, asked at the end of each block, whether most of its source data came from the cache; if
   * nothing was read for it, the answer for the block before is repeated.
   */
  private static BooleanSupplier mostlyCached(ReadMetrics read) {
    return new BooleanSupplier() {
      private boolean cached;

      @Override
      public boolean getAsBoolean() {
        if (read.cachedBytes() + read.diskBytes() > 0) {
          cached = read.cachedBytes() > read.diskBytes();
          read.restart(FileAccess.ALWAYS);
        }
        return cached;
      }
    };
  }

  /**
   * Controls the progress of a writer.
   *
   * @param hurry tells whether to stop waiting
   * @param stop tells whether to stop writing
   * @param running counts the cells; empty for a flush
   */
  private record Progress(
      ThroughputController.Run run,
      BooleanSupplier hurry,
      BooleanSupplier stop,
      Optional<RunningCompaction> running) {
    /** Takes note of a cell that was written; returns whether another one may be. */
    boolean wrote(Cell cell, long readCells) {
      int bytes = cell.serializedLength(true);
      run.wrote(bytes, hurry);
      if (running.isPresent()) {
        running.get().wrote(bytes, readCells);
      }
      return !stop.getAsBoolean();
    }

    /** Takes note of bytes of an index that were written. */
    void wroteIndex(int bytes) throws StoppedException {
      run.wrote(bytes, hurry);
      if (stop.getAsBoolean()) {
        throw new StoppedException();
      }
    }
  }

  private MobWriter mob(CompactionCursor.Mode mode, long newestMillis, boolean rewrite) {
    return new MobWriter(store.mob(), store.family(), options(mode), newestMillis, rewrite);
  }

  /**
   * Returns how a file is written whose cells may have tags or not. Where none has, none is stored,
   * as HBase does it: that takes two bytes less for each cell. The cells of a hook may have some.
   */
  private HFileOptions options(CompactionCursor.Mode mode, boolean tags) {
    return options(mode).withTags(tags || store.context().hook().changesCells());
  }

  private HFileOptions options(CompactionCursor.Mode mode) {
    HFileSettings settings = store.context().settings().files();
    return mode == CompactionCursor.Mode.FLUSH
        ? HFileOptions.of(store.family(), store.comparator(), settings)
        : HFileOptions.ofCompaction(
            store.family(), store.comparator(), settings, mode == CompactionCursor.Mode.MAJOR);
  }

  /** Gives the MOB files their names, before anything that refers to them gets its own. */
  private void publish(MobWriter mob, String written) throws IOException {
    try {
      mob.publish();
    } catch (IOException | RuntimeException | Error e) {
      try {
        store.context().storage().delete(written);
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  private StoreFile publish(
      String written, String path, List<StoreFile> inputs, Optional<WrittenBlocks> kept)
      throws IOException {
    StoreContext context = store.context();
    Optional<StoreFile> opened = Optional.empty();
    try {
      if (!written.equals(path)) {
        store.scratch().publish(written, path);
      }
      opened =
          Optional.of(
              kept.isPresent()
                  ? StoreFile.open(context, path, store.comparator(), kept.get())
                  : StoreFile.open(context, path, store.comparator()));
      context.hook().opened(store.info(), store.family(), HookedSelection.candidate(opened.get()));
      store
          .tracker()
          .publish(
              opened.get().tracked(),
              inputs.stream().map(StoreFile::name).collect(Collectors.toSet()));
      return opened.get();
    } catch (FencedException e) {
      opened.ifPresent(StoreFile::release);
      context.storage().discard(written); // nothing refers to it
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      opened.ifPresent(StoreFile::release);
      store.leftovers().addStray(path);
      try {
        if (!written.equals(path)) {
          context.storage().discard(written);
        }
        store.leftovers().deleteStrays();
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }
}
