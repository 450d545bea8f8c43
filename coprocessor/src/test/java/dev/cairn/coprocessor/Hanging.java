package dev.cairn.coprocessor;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.wal.WALEdit;

/** A coprocessor that does not return where its setting {@code hang} says, until it is released. */
public final class Hanging implements RegionCoprocessor, RegionObserver {
  private static final ConcurrentMap<String, Place> PLACES = new ConcurrentHashMap<>();

  private Place place = new Place("");

  /** Where the coprocessors of a table hang. */
  static final class Place {
    private final String name;
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger hanging = new AtomicInteger();

    private Place(String name) {
      this.name = name;
    }

    /** Returns the number of threads that hang. */
    int hanging() {
      return hanging.get();
    }

    /** Lets all go on, and hangs no more. */
    void release() {
      release.countDown();
    }
  }

  /** Returns where the coprocessors of a table hang. */
  static Place of(String table, String place) {
    return PLACES.computeIfAbsent(table, key -> new Place(place));
  }

  private void at(String reached) {
    if (!place.name.equals(reached)) {
      return;
    }
    place.hanging.incrementAndGet();
    try {
      place.release.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      place.hanging.decrementAndGet();
    }
  }

  @Override
  public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
    place =
        of(
            ((RegionCoprocessorEnvironment) environment).getRegionInfo().getTable().toString(),
            environment.getConfiguration().get("hang", ""));
    at("start");
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public InternalScanner preFlush(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      InternalScanner scanner,
      FlushLifeCycleTracker tracker) {
    at("preFlush");
    return scanner;
  }

  @Override
  public InternalScanner preCompact(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      InternalScanner scanner,
      ScanType type,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    at("preCompact");
    return scanner;
  }

  @Override
  public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit)
      throws IOException {
    at("prePut");
    if (place.name.equals("fail")) {
      throw new IOException("fails in prePut");
    }
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
    at("preGetOp");
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner) {
    at("postScannerOpen");
    return scanner;
  }
}
