package dev.cairn.coprocessor;

import java.util.Optional;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;

/** Coprocessors with a hook that is not called. */
final class Uncalled {
  private Uncalled() {}

  /** Has the hook itself. */
  static class Direct implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void postCloseRegionOperation(
        ObserverContext<RegionCoprocessorEnvironment> context,
        org.apache.hadoop.hbase.regionserver.Region.Operation operation) {}
  }

  /** Inherits the hook. */
  static final class Inherited extends Direct {}

  /** Has the hook, and does not give HBase an object to call. */
  static final class Hidden implements RegionCoprocessor, RegionObserver {
    @Override
    public void postCloseRegionOperation(
        ObserverContext<RegionCoprocessorEnvironment> context,
        org.apache.hadoop.hbase.regionserver.Region.Operation operation) {}
  }

  /** Gives HBase an object of another class, which has the hook. */
  public static final class Delegating implements RegionCoprocessor {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(new Direct());
    }
  }
}
