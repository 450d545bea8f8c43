package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.state.RegionFailedException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteListener;
import dev.cairn.engine.wal.WalFailedException;
import dev.cairn.server.regionserver.hosted.RegionWrites;
import dev.cairn.server.regionserver.hosted.WatchedWrites;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests which listeners learn the outcome of a write that was begun. */
class WatchedWritesTest {
  private final List<Throwable> told = new ArrayList<>();
  private final List<Throwable> fatal = new ArrayList<>();

  private final WriteListener writer =
      new WriteListener() {
        @Override
        public void done(List<MutationOutcome> outcomes) {
          throw new AssertionError();
        }

        @Override
        public void failed(Throwable cause) {
          told.add(cause);
        }
      };

  /** Begins a write that fails at once. */
  private void begin(Throwable cause, Consumer<Throwable> watcher) throws IOException {
    Mutation put = Mutation.put(Bytes.utf8("r"), new CellBuffer());
    new WatchedWrites((request, budget) -> new Failed(cause), watcher)
        .write(put, WriteBudget.AT_ONCE)
        .whenDone(writer);
  }

  /** A write that fails. */
  private record Failed(Throwable cause) implements PendingWrite {
    @Override
    public List<MutationOutcome> join() throws IOException {
      throw (IOException) cause;
    }

    @Override
    public void whenDone(WriteListener told) {
      told.failed(cause);
    }

    @Override
    public Runnable requestSync() {
      return () -> {};
    }
  }

  @Test
  void whoWaitsIsWatchedAsWell() throws IOException {
    IOException log = new WalFailedException("log", new IOException("broken"));
    PendingWrite pending =
        new WatchedWrites((request, budget) -> new Failed(log), fatal::add)
            .write(Mutation.put(Bytes.utf8("r"), new CellBuffer()), WriteBudget.UNLIMITED);
    assertThatThrownBy(pending::join).isSameAs(log);
    assertThat(fatal).containsExactly(log);
  }

  @Test
  void aLogThatHasFailedBeforeIsToldAtOnce() {
    IOException log = new WalFailedException("log", new IOException("broken"));
    RegionWrites failed =
        (request, budget) -> {
          throw log;
        };
    Mutation put = Mutation.put(Bytes.utf8("r"), new CellBuffer());
    assertThatThrownBy(
            () -> new WatchedWrites(failed, fatal::add).write(put, WriteBudget.UNLIMITED))
        .isSameAs(log);
    assertThat(fatal).containsExactly(log);
  }

  @Test
  void aLogOrRegionThatFailedIsToldToBoth() throws IOException {
    Throwable log = new WalFailedException("log", new IOException("broken"));
    Throwable region = new RegionFailedException("region", new IOException("broken"));
    begin(log, fatal::add);
    begin(region, fatal::add);
    assertThat(fatal).containsExactly(log, region);
    assertThat(told).containsExactly(log, region);
  }

  @Test
  void anythingElseIsToldToTheWriterAlone() throws IOException {
    Throwable busy = new RegionBusyException("busy");
    begin(busy, fatal::add);
    assertThat(fatal).isEmpty();
    assertThat(told).containsExactly(busy);
  }

  @Test
  void theWriterIsToldAlsoIfTheWatcherThrows() {
    Throwable log = new WalFailedException("log", new IOException("broken"));
    RuntimeException thrown = new IllegalStateException("watcher");
    assertThatThrownBy(
            () ->
                begin(
                    log,
                    cause -> {
                      throw thrown;
                    }))
        .isSameAs(thrown);
    assertThat(told).containsExactly(log);
  }
}
