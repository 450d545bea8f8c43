package dev.cairn.engine.wal.split;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.file.WalBuffer;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The {@link RegionEdits} of all regions with entries in the logs of one dead server. Appended
 * entries wait in memory until other threads write them, because creating a file takes longer than
 * filling it. Each region's entries stay in order. One thread.
 */
final class SplitOutputs {

  /**
   * The regions whose entries a split recovers, and the entries that it leaves out.
   *
   * @param regions tells by encoded name which regions get their entries
   * @param flushed the entries that are in store files and are left out
   * @param scratch the directory of unfinished files; if empty, they lie beside the finished ones
   */
  record SplitScope(Predicate<String> regions, FlushedEdits flushed, Optional<String> scratch) {
    /** All entries of all regions. */
    static final SplitScope ALL =
        new SplitScope(region -> true, FlushedEdits.NONE, Optional.empty());

    /** Returns the scope for one of several processes that share the split of a log. */
    static SplitScope share(Predicate<String> regions, FlushedEdits flushed, String scratch) {
      return new SplitScope(regions, flushed, Optional.of(scratch));
    }
  }

  /** The number of bytes of a region that are written at once. */
  private static final int PIECE_SIZE = 1 << 20;

  private final Storage storage;
  private final String dataDirectory;
  private final String server;
  private final SplitScope scope;
  private final SplitThreads threads;
  private final Executor writers;
  private final WalBuffer buffer = new WalBuffer();
  private final Map<String, Output> outputs = new HashMap<>();
  private final AtomicLong waitingBytes = new AtomicLong();
  private final Deque<CompletableFuture<Void>> pieces = new ArrayDeque<>();

  /** The edits of one region, and the steps that run on them. */
  private static final class Output {
    private final RegionEdits edits;

    /** Completes when all steps that were begun have ended. */
    private CompletableFuture<Void> done = CompletableFuture.completedFuture(null);

    private Output(RegionEdits edits) {
      this.edits = edits;
    }
  }

  /**
   * Creates it without regions.
   *
   * @param dataDirectory where the regions lie, as {@code namespace/table/region} below it
   * @param server the name of the dead server
   * @param scope the regions whose entries are taken; others are ignored
   * @param writers runs the steps that wait for the storage
   */
  SplitOutputs(
      Storage storage,
      String dataDirectory,
      String server,
      SplitScope scope,
      SplitThreads threads,
      Executor writers) {
    this.storage = storage;
    this.dataDirectory = dataDirectory;
    this.server = server;
    this.scope = scope;
    this.threads = threads;
    this.writers = writers;
  }

  /** Appends the next entry of a log. May wait until earlier entries are written. */
  void append(WalEntry entry) throws IOException {
    Output output = outputs.get(entry.region());
    if (output == null) {
      if (!scope.regions().test(entry.region())) {
        return;
      }
      output = new Output(begin(entry));
      outputs.put(entry.region(), output);
    }
    int before = output.edits.queued();
    output.edits.append(entry);
    waitingBytes.addAndGet(output.edits.queued() - before);
    if (output.edits.queued() >= PIECE_SIZE) {
      write(output, output.edits::flush);
    }
    if (waitingBytes.get() > threads.waitingBytesMax()) {
      makeRoom();
    }
  }

  private RegionEdits begin(WalEntry first) throws IOException {
    String region =
        Storage.join(
            dataDirectory,
            first.table().namespace() + "/" + first.table().qualifier() + "/" + first.region());
    return new RegionEdits(
        storage,
        region,
        first,
        scope.flushed().flushedOf(first.region()),
        server,
        threads.marks().get(),
        scope.scratch(),
        buffer);
  }

  /** Begins to write the waiting entries of a region, then to run another step. */
  private void write(Output output, SplitThreads.Step then) {
    QueuedFile.Piece piece = output.edits.take();
    SplitThreads.Step step =
        () -> {
          try {
            output.edits.write(piece);
            then.run();
          } finally {
            waitingBytes.addAndGet(-piece.length());
          }
        };
    output.done = output.done.thenRunAsync(SplitThreads.task(step), writers);
    pieces.add(output.done);
    while (!pieces.isEmpty() && pieces.peek().isDone()) {
      pieces.poll();
    }
  }

  private void makeRoom() throws IOException {
    writeAll();
    while (waitingBytes.get() > threads.waitingBytesMax() / 2 && !pieces.isEmpty()) {
      threads.await(pieces.poll());
    }
  }

  private void writeAll() {
    for (Output output : outputs.values()) {
      if (output.edits.queued() > 0) {
        write(output, output.edits::flush);
      }
    }
  }

  /**
   * Begins to write all waiting entries and to make them durable, so that {@link #publish} has
   * little left to do.
   */
  void syncAll() {
    for (Output output : outputs.values()) {
      write(output, output.edits::sync);
    }
  }

  /** Begins another log file: the next entries come from it. */
  void nextFile() {
    outputs.values().forEach(output -> output.edits.nextFile());
  }

  /** Returns the encoded names of the regions with entries. */
  Set<String> regions() {
    return Set.copyOf(outputs.keySet());
  }

  /**
   * Completes the files of all regions.
   *
   * @param recovered receives each region whose file is complete, on any thread
   */
  void publish(Consumer<String> recovered) throws IOException {
    List<CompletableFuture<Void>> published = new ArrayList<>();
    for (Map.Entry<String, Output> region : outputs.entrySet()) {
      Output output = region.getValue();
      output.edits.end();
      QueuedFile.Piece last = output.edits.take();
      SplitThreads.Step step =
          () -> {
            output.edits.write(last);
            output.edits.publish();
            recovered.accept(region.getKey());
          };
      output.done = output.done.thenRunAsync(SplitThreads.task(step), writers);
      published.add(output.done);
    }
    IOException failure = null;
    for (CompletableFuture<Void> one : published) {
      try {
        threads.await(one);
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Deletes the unfinished files after the running steps have ended. */
  void abandon() {
    for (Output output : outputs.values()) {
      output.done.whenCompleteAsync(
          (done, failure) -> SplitThreads.task(output.edits::abandon).run(), writers);
    }
  }

  /** Adds the counts to a tally. Call it after {@link #publish}. */
  void count(SplitTally tally) {
    for (Map.Entry<String, Output> region : outputs.entrySet()) {
      RegionEdits edits = region.getValue().edits;
      if (edits.isGone()) {
        tally.skipped(edits.count());
      } else {
        tally.recovered(region.getKey(), edits.count());
        tally.flushed(edits.flushedCount());
      }
    }
  }
}
