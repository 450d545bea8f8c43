package dev.cairn.coprocessor.rewrite;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.security.User;

/** A coprocessor that records the hooks of flushes and compactions, and acts in them. */
public class RewriteProbe implements RegionCoprocessor, RegionObserver {
  static final List<String> CALLS = new CopyOnWriteArrayList<>();
  static volatile RegionCoprocessorEnvironment environment;
  static volatile Wrapper wrapper;
  static volatile Consumer<ScanOptions> options;
  static volatile Choice choice;
  static volatile String failing;

  /** Wraps the scanner of a flush or compaction. */
  interface Wrapper {
    InternalScanner wrap(InternalScanner scanner) throws IOException;
  }

  /** Changes the candidates of a compaction. */
  interface Choice {
    /** Returns whether to bypass. */
    boolean of(List<? extends StoreFile> candidates);
  }

  static void reset() {
    CALLS.clear();
    wrapper = scanner -> scanner;
    options = all -> {};
    choice = all -> false;
    failing = "";
  }

  private static void called(String hook, Object... details) throws IOException {
    StringBuilder call = new StringBuilder(hook);
    for (Object detail : details) {
      call.append(' ').append(detail);
    }
    CALLS.add(call.toString());
    if (hook.equals(failing)) {
      throw new IOException(hook + " fails");
    }
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment of) {
    environment = (RegionCoprocessorEnvironment) of;
  }

  @Override
  public void preClose(ObserverContext<RegionCoprocessorEnvironment> context, boolean abort)
      throws IOException {
    called("preClose");
  }

  @Override
  public void preFlush(
      ObserverContext<RegionCoprocessorEnvironment> context, FlushLifeCycleTracker tracker)
      throws IOException {
    called("preFlush");
  }

  @Override
  public void preFlushScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      ScanOptions changed,
      FlushLifeCycleTracker tracker)
      throws IOException {
    called("preFlushScannerOpen", store.getColumnFamilyName());
    options.accept(changed);
  }

  @Override
  public InternalScanner preFlush(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      InternalScanner scanner,
      FlushLifeCycleTracker tracker)
      throws IOException {
    called("preFlush", store.getColumnFamilyDescriptor().getNameAsString());
    return wrapper.wrap(scanner);
  }

  @Override
  public void postFlush(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      StoreFile file,
      FlushLifeCycleTracker tracker)
      throws IOException {
    called("postFlush", store.getColumnFamilyName(), store.getStorefiles().contains(file));
  }

  @Override
  public void postFlush(
      ObserverContext<RegionCoprocessorEnvironment> context, FlushLifeCycleTracker tracker)
      throws IOException {
    called("postFlush");
  }

  @Override
  public void preCompactSelection(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      List<? extends StoreFile> candidates,
      CompactionLifeCycleTracker tracker)
      throws IOException {
    called("preCompactSelection", store.getColumnFamilyName(), candidates.size());
    if (choice.of(candidates)) {
      context.bypass();
    }
  }

  @Override
  public void postCompactSelection(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      List<? extends StoreFile> selected,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    CALLS.add("postCompactSelection " + store.getColumnFamilyName() + " " + selected.size());
  }

  @Override
  public void preCompactScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      ScanType type,
      ScanOptions changed,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request)
      throws IOException {
    called("preCompactScannerOpen", store.getColumnFamilyName(), type);
    options.accept(changed);
  }

  @Override
  public InternalScanner preCompact(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      InternalScanner scanner,
      ScanType type,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request)
      throws IOException {
    called(
        "preCompact",
        store.getColumnFamilyName(),
        type,
        request.getFiles().size(),
        "of",
        context.getCaller().map(User::getShortName).orElse("the server"));
    return wrapper.wrap(scanner);
  }

  @Override
  public void postCompact(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      StoreFile file,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request)
      throws IOException {
    called("postCompact", store.getColumnFamilyName(), request.isMajor());
  }

  @Override
  public void postClose(ObserverContext<RegionCoprocessorEnvironment> context, boolean abort) {
    CALLS.add("postClose");
  }
}
