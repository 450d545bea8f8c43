package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.DiskFullException;
import dev.cairn.engine.storage.ForwardingStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.GroupCommitWal;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalListener;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.health.HealthStatus;
import dev.cairn.server.process.health.LogHealth;
import dev.cairn.server.process.keys.WalKeys;
import dev.cairn.server.regionserver.logs.ServerLogs;
import dev.cairn.server.rpc.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the health check of a log whose disk is full or does not respond. */
@Timeout(60)
class LogHealthTest {
  private static final String REGION = "0123456789abcdef0123456789abcdef";

  private final AtomicLong nanos = new AtomicLong();
  private final Clock clock =
      new Clock() {
        @Override
        public long currentTimeMillis() {
          return nanos.get() / 1_000_000;
        }

        @Override
        public long nanoTime() {
          return nanos.get();
        }
      };
  private final Disk disk = new Disk(new MemoryStorage(clock));

  /** A disk that blocks writes or is full, on request. */
  private static final class Disk extends ForwardingStorage {
    private volatile Optional<CompletableFuture<Void>> blocked = Optional.empty();
    private volatile boolean full;

    Disk(MemoryStorage storage) {
      super(storage);
    }

    @Override
    protected void before(StorageOperation operation, String path) throws IOException {
      if (operation == StorageOperation.WRITE) {
        blocked.ifPresent(CompletableFuture::join);
      }
      if (full && (operation == StorageOperation.WRITE || operation == StorageOperation.CREATE)) {
        throw new DiskFullException(path, "a test says so");
      }
    }
  }

  @Test
  void aDiskThatDoesNotRespondIsReportedAfterAWhile() throws Exception {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    try (Wal log = open()) {
      LogHealth health = new LogHealth(new ServerLogs(log, () -> log));
      assertThat(health.check().status()).isEqualTo(HealthStatus.OK);
      disk.blocked = Optional.of(answer);
      CompletableFuture<Void> written = CompletableFuture.runAsync(() -> write(log));
      // When the commit begins is unknown here, so advance the clock until the check reports it.
      Waiting.waitUntil(
          () -> {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
            return health.check().status() == HealthStatus.WARN;
          });
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
      HealthResult stalled = health.check();
      assertThat(stalled.status()).isEqualTo(HealthStatus.FAIL);
      assertThat(stalled.message()).contains("waiting for its disk");
      disk.blocked = Optional.empty();
      answer.complete(null);
      written.get(60, TimeUnit.SECONDS);
      assertThat(health.check().status()).isEqualTo(HealthStatus.OK);
    } finally {
      answer.complete(null);
    }
  }

  @Test
  void aFullDiskRefusesWritesUntilThereIsSpace() throws Exception {
    try (Wal log = open()) {
      LogHealth health = new LogHealth(new ServerLogs(log, () -> log));
      disk.full = true;
      CompletableFuture<Void> refused = CompletableFuture.runAsync(() -> write(log));
      Waiting.waitUntil(() -> health.check().status() == HealthStatus.FAIL);
      assertThat(health.check().message()).contains("Writes are refused", "full");
      assertThat(refused).failsWithin(20, TimeUnit.SECONDS);
      disk.full = false;
      Waiting.waitUntil(() -> health.check().status() == HealthStatus.OK);
    }
  }

  private Wal open() throws IOException {
    ServerName name = new ServerName("localhost", 1, 1);
    SiteConfig config = new SiteConfig(Map.of("cairn.wal.full.disk.probe.interval", "10"));
    return GroupCommitWal.open(
        disk,
        WalKeys.wal(config, 0, "WALs/" + name, "oldWALs", name),
        clock,
        ServerThreads.named("wal"),
        WalListener.NONE);
  }

  private static void write(Wal log) {
    try {
      log.sync(log.append(new WalEntry(REGION, TableName.parse("t"), 1, 1, new CellBuffer())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
