package dev.cairn.coprocessor.facade;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.ScanInfo;
import org.apache.hadoop.hbase.regionserver.UnservedStore;

/** A family of a region as its coprocessors see it. Thread-safe. */
public final class StoreFacade extends UnservedStore {
  private static final String PURGE_DELETES = "hbase.hstore.time.to.purge.deletes";

  /** All of the object's state: fields cannot be final, as no constructor runs. */
  private Parts parts;

  private record Parts(RegionInfo region, ColumnFamilyDescriptor family, ScanInfo scans) {}

  /** Never runs. */
  private StoreFacade() throws IOException {}

  /** Returns the facade of a family of a region. */
  static StoreFacade of(RegionInfo region, ColumnFamilyDescriptor family, Configuration settings) {
    StoreFacade facade = Allocation.of(StoreFacade.class);
    int seconds = family.getTimeToLive();
    long ttl = seconds == HConstants.FOREVER ? Long.MAX_VALUE : TimeUnit.SECONDS.toMillis(seconds);
    long purge = Math.max(settings.getLong(PURGE_DELETES, 0), 0);
    facade.parts =
        new Parts(
            region,
            family,
            new ScanInfo(settings, family, ttl, purge, CellComparator.getInstance()));
    return facade;
  }

  @Override
  public ScanInfo getScanInfo() {
    return parts.scans();
  }

  @Override
  public ColumnFamilyDescriptor getColumnFamilyDescriptor() {
    return parts.family();
  }

  @Override
  public String getColumnFamilyName() {
    return parts.family().getNameAsString();
  }

  @Override
  public RegionInfo getRegionInfo() {
    return parts.region();
  }

  @Override
  public TableName getTableName() {
    return parts.region().getTable();
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public String toString() {
    return getColumnFamilyName();
  }
}
