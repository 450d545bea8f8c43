package dev.cairn.server.exchange;

import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.Wal.DurabilityListener;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The log of regions that are only read. */
final class NoLog implements Wal {
  @Override
  public long append(WalEntry entry, boolean mayWait) throws IOException {
    throw new IOException("The region is open for reading only");
  }

  @Override
  public void sync(long txid) {}

  @Override
  public void sync(long txid, SyncLevel syncLevel) {}

  @Override
  public void whenDurable(long txid, SyncLevel syncLevel, DurabilityListener told) {
    told.durable();
  }

  @Override
  public void requestSync() {}

  @Override
  public CompletableFuture<Void> settled(long txid, SyncLevel syncLevel) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void checkWritable() throws IOException {
    throw new IOException("The region is open for reading only");
  }

  @Override
  public long commitNanos() {
    return 0;
  }

  @Override
  public long waitNanos() {
    return 0;
  }

  @Override
  public long lastTxid() {
    return 0;
  }

  @Override
  public long durableTxid() {
    return 0;
  }

  @Override
  public void roll() {}

  @Override
  public void flushed(String region, long sequence) {}

  @Override
  public void regionClosed(String region) {}

  @Override
  public Map<String, Long> regionsToFlush() {
    return Map.of();
  }

  @Override
  public void close() {}
}
