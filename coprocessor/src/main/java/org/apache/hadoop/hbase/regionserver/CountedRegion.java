package org.apache.hadoop.hbase.regionserver;

/**
 * A region that shows policies the services of its server, which is visible only in this package.
 */
public abstract class CountedRegion extends UnservedRegion {
  /** Never runs. */
  protected CountedRegion() {}

  /** Returns the services. */
  protected abstract RegionServerServices services();

  @Override
  RegionServerServices getRegionServerServices() {
    return services();
  }
}
