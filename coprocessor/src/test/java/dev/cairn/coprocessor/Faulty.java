package dev.cairn.coprocessor;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;

/** A coprocessor that fails where its setting {@code fault} says, as {@code PLACE error}. */
public final class Faulty implements RegionCoprocessor, RegionObserver {
  /** The regions whose first start has failed. */
  private static final Set<String> ONCE = ConcurrentHashMap.newKeySet();

  private String fault = "";

  private void at(String place) {
    if (fault.equals(place + " exception")) {
      throw new IllegalStateException("fails in " + place);
    }
    if (fault.equals(place + " assertion")) {
      throw new AssertionError("fails in " + place);
    }
    if (fault.equals(place + " linkage")) {
      throw new NoClassDefFoundError("fails in " + place);
    }
  }

  @Override
  public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment)
      throws IOException {
    fault = environment.getConfiguration().get("fault", "");
    at("start");
    String region =
        ((RegionCoprocessorEnvironment) environment).getRegionInfo().getTable().toString();
    if (fault.equals("once") && ONCE.add(region)) {
      throw new IOException("fails once");
    }
  }

  @Override
  public void stop(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
    at("stop");
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    at("getter");
    return Optional.of(this);
  }

  @Override
  public void preOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
    at("preOpen");
  }

  @Override
  public void postOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
    at("postOpen");
  }

  @Override
  public void preClose(ObserverContext<RegionCoprocessorEnvironment> context, boolean abort) {
    at("preClose");
  }

  @Override
  public void postClose(ObserverContext<RegionCoprocessorEnvironment> context, boolean abort) {
    at("postClose");
  }
}
