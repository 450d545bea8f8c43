package dev.cairn.engine.wal;

import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A log that passes each entry to a hook first. An append that must not wait returns {@code
 * NO_ROOM}, so that another thread appends the entry.
 *
 * @param log the log
 * @param hook sees the entries of {@link #append}
 */
public record HookedWal(Wal log, WalHook hook) implements Wal {
  @Override
  public long append(WalEntry entry, boolean mayWait) throws IOException {
    if (!mayWait) {
      return NO_ROOM;
    }
    return hook.append(entry, log::append);
  }

  @Override
  public void sync(long txid) throws IOException {
    log.sync(txid);
  }

  @Override
  public void sync(long txid, SyncLevel syncLevel) throws IOException {
    log.sync(txid, syncLevel);
  }

  @Override
  public void whenDurable(long txid, SyncLevel syncLevel, DurabilityListener told) {
    log.whenDurable(txid, syncLevel, told);
  }

  @Override
  public void requestSync() {
    log.requestSync();
  }

  @Override
  public CompletableFuture<Void> settled(long txid, SyncLevel syncLevel) {
    return log.settled(txid, syncLevel);
  }

  @Override
  public void checkWritable() throws IOException {
    log.checkWritable();
  }

  @Override
  public long commitNanos() {
    return log.commitNanos();
  }

  @Override
  public long waitNanos() {
    return log.waitNanos();
  }

  @Override
  public long lastTxid() {
    return log.lastTxid();
  }

  @Override
  public long durableTxid() {
    return log.durableTxid();
  }

  @Override
  public void roll() throws IOException {
    log.roll();
  }

  @Override
  public void flushed(String region, long sequence) {
    log.flushed(region, sequence);
  }

  @Override
  public void regionClosed(String region) {
    log.regionClosed(region);
  }

  @Override
  public Map<String, Long> regionsToFlush() {
    return log.regionsToFlush();
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
