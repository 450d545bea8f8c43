package dev.cairn.coprocessor.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Records the hooks of reads, and does what an attribute of the read says: its name is that of the
 * hook.
 */
public class ReadProbe implements RegionCoprocessor, RegionObserver {
  static final List<String> CALLS = new CopyOnWriteArrayList<>();
  static final Set<String> THREADS = ConcurrentHashMap.newKeySet();

  static final Set<String> USERS = ConcurrentHashMap.newKeySet();

  /** The attribute of the scan that was opened last. */
  private static volatile String ofScan = "";

  /** The cell that hooks add. */
  static final KeyValue MADE =
      new KeyValue(
          Bytes.toBytes("made"), Bytes.toBytes("f"), Bytes.toBytes("q"), 7, Bytes.toBytes("hook"));

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  private static void called(String call) {
    CALLS.add(call);
    THREADS.add(Thread.currentThread().getName());
    RpcServer.getRequestUserName().ifPresent(USERS::add);
  }

  private static boolean wants(Get get, String what) {
    return get.getAttribute(what) != null;
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> cells) {
    called("preGetOp " + get.getFamilyMap().size());
    if (wants(get, "preGetOp")) {
      cells.add(MADE);
      context.bypass();
    }
    if (wants(get, "narrow")) {
      get.setTimestamp(Bytes.toInt(get.getAttribute("narrow")));
    }
  }

  @Override
  public void postGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> cells) {
    called("postGetOp " + cells.size());
    if (wants(get, "postGetOp")) {
      cells.remove(0);
      cells.add(MADE);
    }
    if (wants(get, "clear")) {
      cells.clear();
    }
  }

  @Override
  public boolean preExists(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, boolean exists) {
    called("preExists");
    if (wants(get, "preExists")) {
      context.bypass();
      return true;
    }
    return exists;
  }

  @Override
  public boolean postExists(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, boolean exists) {
    called("postExists " + exists);
    return wants(get, "postExists") != exists;
  }

  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan)
      throws IOException {
    byte[] attribute = scan.getAttribute("probe");
    ofScan = attribute == null ? "" : Bytes.toString(attribute);
    called("preScannerOpen " + scan.getFamilyMap().size());
    if (ofScan.equals("fails")) {
      throw new org.apache.hadoop.hbase.DoNotRetryIOException("the probe fails");
    }
    if (ofScan.equals("preScannerOpen")) {
      scan.withStartRow(Bytes.toBytes("r3")).setBatch(1);
    }
  }

  @Override
  public void preStoreScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context, Store store, ScanOptions options) {
    called("preStoreScannerOpen " + store.getColumnFamilyName());
    byte[] attribute = options.getScan().getAttribute("retention");
    if (attribute != null) {
      options.setMaxVersions(Bytes.toInt(attribute));
      options.setKeepDeletedCells(KeepDeletedCells.TRUE);
    }
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner) {
    called("postScannerOpen");
    return switch (ofScan) {
      case "wrap" -> new Wrapped(scanner);
      case "ignore" -> new Heedless(scanner);
      case "drop" -> new Dropping(scanner);
      default -> scanner;
    };
  }

  @Override
  public boolean preScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> results,
      int limit,
      boolean hasNext) {
    called("preScannerNext " + limit);
    if (ofScan.equals("preScannerNext")
        && CALLS.stream().filter(c -> c.contains("Next")).count() < 3) {
      results.add(Result.create(List.<Cell>of(MADE)));
      context.bypass();
      return true;
    }
    return hasNext;
  }

  @Override
  public boolean postScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> results,
      int limit,
      boolean hasNext) {
    called("postScannerNext " + results.size());
    if (ofScan.equals("postScannerNext")) {
      List<Result> kept = new ArrayList<>();
      for (Result result : results) {
        if (!CellUtil.matchingRows(result.rawCells()[0], Bytes.toBytes("r2"))) {
          kept.add(result);
        }
      }
      results.clear();
      results.addAll(kept);
    }
    return hasNext;
  }

  @Override
  public void preScannerClose(
      ObserverContext<RegionCoprocessorEnvironment> context, InternalScanner scanner) {
    called("preScannerClose");
    if (ofScan.equals("preScannerClose")) {
      context.bypass();
    }
  }

  @Override
  public void postScannerClose(
      ObserverContext<RegionCoprocessorEnvironment> context, InternalScanner scanner) {
    called("postScannerClose");
  }

  /** Has one of the hooks. */
  public static class OfStores implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preStoreScannerOpen(
        ObserverContext<RegionCoprocessorEnvironment> context, Store store, ScanOptions options) {
      new ReadProbe().preStoreScannerOpen(context, store, options);
    }
  }

  /** Passes everything on, limits too. */
  static class Wrapped implements RegionScanner {
    final RegionScanner inner;

    Wrapped(RegionScanner inner) {
      this.inner = inner;
    }

    @Override
    public org.apache.hadoop.hbase.client.RegionInfo getRegionInfo() {
      return inner.getRegionInfo();
    }

    @Override
    public boolean isFilterDone() throws IOException {
      return inner.isFilterDone();
    }

    @Override
    public boolean reseek(byte[] row) throws IOException {
      return inner.reseek(row);
    }

    @Override
    public long getMaxResultSize() {
      return inner.getMaxResultSize();
    }

    @Override
    public long getMvccReadPoint() {
      return inner.getMvccReadPoint();
    }

    @Override
    public int getBatch() {
      return inner.getBatch();
    }

    @Override
    public boolean nextRaw(List<Cell> out) throws IOException {
      return inner.nextRaw(out);
    }

    @Override
    public boolean nextRaw(
        List<Cell> out, org.apache.hadoop.hbase.regionserver.ScannerContext limits)
        throws IOException {
      return inner.nextRaw(out, limits);
    }

    @Override
    public boolean next(List<Cell> out) throws IOException {
      return inner.next(out);
    }

    @Override
    public boolean next(List<Cell> out, org.apache.hadoop.hbase.regionserver.ScannerContext limits)
        throws IOException {
      return inner.next(out, limits);
    }

    @Override
    public void close() throws IOException {
      inner.close();
    }
  }

  /** Leaves out the cells of a family, which may be the rest of a row. */
  static final class Dropping extends Wrapped {
    Dropping(RegionScanner inner) {
      super(inner);
    }

    @Override
    public boolean nextRaw(
        List<Cell> out, org.apache.hadoop.hbase.regionserver.ScannerContext limits)
        throws IOException {
      boolean more = inner.nextRaw(out, limits);
      out.removeIf(cell -> CellUtil.matchingFamily(cell, Bytes.toBytes("g")));
      return more;
    }
  }

  /** Ignores limits, as Phoenix's scanners do. Some calls return no cells before the end. */
  static final class Heedless extends Wrapped {
    private int calls;

    Heedless(RegionScanner inner) {
      super(inner);
    }

    @Override
    public boolean nextRaw(
        List<Cell> out, org.apache.hadoop.hbase.regionserver.ScannerContext limits)
        throws IOException {
      return calls++ % 3 == 1 || inner.nextRaw(out);
    }
  }
}
