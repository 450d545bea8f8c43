package dev.cairn.coprocessor;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.Store;

/** A coprocessor that records the calls of its methods. */
public class Probe implements RegionCoprocessor, RegionObserver {
  static final List<String> CALLS = new CopyOnWriteArrayList<>();
  static volatile RegionCoprocessorEnvironment environment;

  private static void called(String method, RegionCoprocessorEnvironment of) {
    CALLS.add(method + " " + of.getRegionInfo().getTable());
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment of) throws IOException {
    environment = (RegionCoprocessorEnvironment) of;
    called("start", environment);
    if (environment.getConfiguration().getBoolean("probe.fails", false)) {
      throw new IOException("the probe fails");
    }
  }

  @Override
  public void stop(@SuppressWarnings("rawtypes") CoprocessorEnvironment of) {
    called("stop", (RegionCoprocessorEnvironment) of);
  }

  @Override
  public void preOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
    called("preOpen", context.getEnvironment());
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
    called("postOpen", context.getEnvironment());
    if (context.getEnvironment().getConfiguration().getBoolean("probe.bypasses", false)) {
      context.bypass();
    }
  }

  @Override
  public void preClose(ObserverContext<RegionCoprocessorEnvironment> context, boolean abort) {
    called("preClose", context.getEnvironment());
  }

  @Override
  public void postClose(ObserverContext<RegionCoprocessorEnvironment> context, boolean abort) {
    called("postClose", context.getEnvironment());
  }

  /** Never called, and no reason to refuse the class. */
  @Override
  public void preMemStoreCompaction(
      ObserverContext<RegionCoprocessorEnvironment> context, Store store) {
    called("preMemStoreCompaction", context.getEnvironment());
  }
}
