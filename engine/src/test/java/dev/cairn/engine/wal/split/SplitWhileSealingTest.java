package dev.cairn.engine.wal.split;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.ForwardingStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Entries;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalBuffer;
import dev.cairn.engine.wal.file.WalCompression;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalWriter;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The seal of the newest log file takes long; meanwhile the file is read. */
class SplitWhileSealingTest {
  private static final String WALS = "WALs/host,16020,1";
  private static final String A = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  private static final String B = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
  private static final String META = "1588230740";

  private final MemoryStorage memory = new MemoryStorage(Clock.SYSTEM);
  private final SlowSeals storage = new SlowSeals(memory);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicLong marks = new AtomicLong();
  private final Events events = new Events();

  /** Seals the second file when it is told to, and tells when a file was created. */
  private static final class SlowSeals extends ForwardingStorage {
    final CompletableFuture<Void> mayBeSealed = new CompletableFuture<>();
    final CompletableFuture<Void> created = new CompletableFuture<>();
    private volatile boolean fails;

    SlowSeals(Storage storage) {
      super(storage);
    }

    @Override
    public long seal(String path) throws IOException {
      if (path.endsWith(".2")) {
        mayBeSealed.join();
        if (fails) {
          throw new IOException("The seal of " + path + " failed");
        }
      }
      return super.seal(path);
    }

    @Override
    public AppendFile create(String path) throws IOException {
      AppendFile file = super.create(path);
      created.complete(null);
      return file;
    }
  }

  private static final class Events implements SplitProgress {
    final List<String> told = new CopyOnWriteArrayList<>();
    final CompletableFuture<Void> metaRecovered = new CompletableFuture<>();

    @Override
    public void found(Set<LogKind> kinds) {
      told.add(kinds.toString());
    }

    @Override
    public void sealing(String path) {}

    @Override
    public void sealed(String path) {}

    @Override
    public void read(LogKind kind, Set<String> edited) {
      told.add(kind + " " + edited.size());
    }

    @Override
    public void recovered(String region) {
      told.add(region);
      if (region.equals(META)) {
        metaRecovered.complete(null);
      }
    }
  }

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  private WalWriter begin(String name, WalEntry... entries) throws IOException {
    memory.createDirectories(WALS);
    WalWriter writer =
        WalWriter.createFenced(
            memory, WALS + "/" + name, new WalBuffer(), WalCompression.NONE, SyncLevel.SYNCED);
    for (WalEntry entry : entries) {
      writer.append(entry);
    }
    writer.sync();
    return writer;
  }

  private CompletableFuture<SplitSummary> split() {
    LogSplitter splitter =
        new LogSplitter(storage, "data", "oldWALs")
            .publishing(threads, Clock.SYSTEM, () -> "mark" + marks.incrementAndGet());
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return splitter.split(WALS, events);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        threads);
  }

  private List<Long> sequences(String region) throws IOException {
    List<Long> sequences = new ArrayList<>();
    new RecoveredEdits(memory, "data/space/table/" + region)
        .replay(0, entry -> sequences.add(entry.sequence()));
    return sequences;
  }

  @Test
  void whatAFileHasIsWrittenBeforeItIsSealedAndTheRestAfterwards() throws IOException {
    memory.createDirectories("data/space/table/" + A);
    begin("host.1", Entries.of(A, 1, "one")).finish();
    WalWriter writer = begin("host.2", Entries.of(A, 2, "two"), Entries.of(A, 3, "three"));
    CompletableFuture<SplitSummary> split = split();
    storage.created.join();
    assertThat(sequences(A)).as("nothing is published before the seal").isEmpty();
    writer.append(Entries.of(A, 4, "four"));
    writer.sync(); // acknowledged: the old server sleeps, and its file is not sealed yet
    storage.mayBeSealed.complete(null);
    assertThat(split.join().entries()).isEqualTo(4);
    assertThat(sequences(A)).containsExactly(1L, 2L, 3L, 4L);
    assertThat(memory.list("data/space/table/" + A + "/recovered.edits")).hasSize(1);
  }

  @Test
  void whatIsBeyondTheSealedLengthIsThrownAway() throws IOException {
    memory.createDirectories("data/space/table/" + A);
    memory.createDirectories("data/space/table/" + B);
    begin("host.1", Entries.of(A, 1, "one")).finish();
    WalWriter writer = begin("host.2", Entries.of(A, 2, "two"));
    byte[] kept = memory.readAll(WALS + "/host.2");
    writer.append(Entries.of(A, 3, "three"));
    writer.append(Entries.of(B, 1, "one"));
    writer.sync();
    CompletableFuture<SplitSummary> split = split();
    storage.created.join();
    String path = WALS + LogSplitter.SPLITTING_SUFFIX + "/host.2";
    memory.delete(path); // the machines agree on the end of one that had less
    Entries.write(memory, path, kept, kept.length);
    storage.mayBeSealed.complete(null);
    assertThat(split.join().entries()).isEqualTo(2);
    assertThat(sequences(A)).containsExactly(1L, 2L);
    assertThat(sequences(B)).isEmpty();
  }

  @Test
  void theFileOfTheCatalogIsSplitThoughAnotherCannotBeSealed() throws IOException {
    memory.createDirectories("data/space/table/" + A);
    memory.createDirectories("data/space/table/" + META);
    begin("host.2", Entries.of(A, 1, "one"));
    begin("host.3.meta", Entries.of(META, 7, "seven"));
    storage.fails = true;
    CompletableFuture<SplitSummary> split = split();
    events.metaRecovered.join();
    assertThat(sequences(META)).containsExactly(7L);
    assertThat(events.told).containsExactly("[META, REGIONS]", "META 1", META);
    storage.mayBeSealed.complete(null);
    assertThat(split.handle((done, failure) -> failure).join()).hasMessageContaining("host.2");
    assertThat(sequences(A)).isEmpty();
    storage.fails = false;
    split().join();
    assertThat(sequences(A)).containsExactly(1L);
    assertThat(memory.list("WALs")).isEmpty();
  }

  @Test
  void aRegionWithoutEntriesIsFreeAsSoonAsAllIsRead() throws IOException {
    memory.createDirectories("data/space/table/" + A);
    begin("host.1", Entries.of(A, 1, "one"), Entries.of(B, 1, "of a region that is gone"));
    SplitSummary summary = split().join();
    assertThat(events.told.subList(0, 2)).containsExactly("[REGIONS]", "REGIONS 2");
    assertThat(events.told).containsExactlyInAnyOrder("[REGIONS]", "REGIONS 2", A, B);
    assertThat(summary.entriesSkipped()).isEqualTo(1);
  }
}
