package dev.cairn.torture.simulation;

import dev.cairn.engine.wal.DurabilityListener;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalEntry;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** A log to which its callers come only when its own thread has nothing to do. */
record SettledWal(Wal wal, LogThread thread) implements Wal {
  @Override
  public long append(WalEntry entry) throws IOException {
    thread.settle();
    return wal.append(entry);
  }

  @Override
  public OptionalLong tryAppend(WalEntry entry) throws IOException {
    thread.settle();
    return wal.tryAppend(entry);
  }

  @Override
  public void sync(long ticket) throws IOException {
    thread.settle();
    wal.sync(ticket);
  }

  @Override
  public void sync(long ticket, SyncLevel safety) throws IOException {
    thread.settle();
    wal.sync(ticket, safety);
  }

  @Override
  public void whenDurable(long ticket, SyncLevel safety, DurabilityListener told) {
    thread.settle();
    wal.whenDurable(ticket, safety, told);
  }

  @Override
  public void requestSync() {
    thread.settle();
    wal.requestSync();
  }

  @Override
  public CompletableFuture<Void> settled(long ticket, SyncLevel safety) {
    thread.settle();
    return wal.settled(ticket, safety);
  }

  @Override
  public void checkWritable() throws IOException {
    thread.settle();
    wal.checkWritable();
  }

  @Override
  public long commitNanos() {
    return wal.commitNanos();
  }

  @Override
  public long lastTicket() {
    thread.settle();
    return wal.lastTicket();
  }

  @Override
  public void roll() throws IOException {
    thread.settle();
    wal.roll();
  }

  @Override
  public void flushed(String region, long sequence) {
    thread.settle();
    wal.flushed(region, sequence);
  }

  @Override
  public void regionClosed(String region) {
    thread.settle();
    wal.regionClosed(region);
  }

  @Override
  public Map<String, Long> regionsToFlush() {
    thread.settle();
    return wal.regionsToFlush();
  }

  @Override
  public void close() throws IOException {
    thread.settle();
    wal.close();
  }
}
