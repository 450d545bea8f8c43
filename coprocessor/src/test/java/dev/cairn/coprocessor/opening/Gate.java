package dev.cairn.coprocessor.opening;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.wal.WALEdit;

/** Lets regions open, or does not. */
public final class Gate implements RegionCoprocessor, RegionObserver {
  /** The place in which it fails; empty for none. */
  static volatile String closed = "";

  private static void pass(String place) throws IOException {
    if (closed.equals(place)) {
      throw new IOException("the gate is closed");
    }
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment)
      throws IOException {
    pass("start");
  }

  @Override
  public void preOpen(ObserverContext<RegionCoprocessorEnvironment> context) throws IOException {
    pass("preOpen");
  }

  @Override
  public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) {
    if (closed.equals("prePut")) {
      throw new IllegalStateException("no puts of " + new Get(put.getRow()));
    }
  }
}
