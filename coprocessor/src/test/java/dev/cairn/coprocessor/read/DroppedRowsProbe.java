package dev.cairn.coprocessor.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/** Records the rows that reads drop; acts at the row {@code x-ACTION}. */
public class DroppedRowsProbe implements RegionCoprocessor, RegionObserver {
  static final List<String> CALLS = new CopyOnWriteArrayList<>();
  static volatile Object opened;
  static volatile Object shown;

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner) {
    opened = scanner;
    return scanner;
  }

  @Override
  public boolean postScannerFilterRow(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      Cell first,
      boolean hasMore)
      throws IOException {
    String row = Bytes.toString(CellUtil.cloneRow(first));
    CALLS.add(row + " " + RpcServer.getRequestUserName().isPresent());
    shown = scanner;
    return switch (row) {
      case "x-end" -> false;
      case "x-fail" -> throw new IOException("not this row");
      case "x-read" -> scanner.next(new ArrayList<>());
      default -> hasMore;
    };
  }
}
