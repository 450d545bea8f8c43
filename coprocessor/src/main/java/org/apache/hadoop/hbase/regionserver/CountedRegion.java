package org.apache.hadoop.hbase.regionserver;

/**
 * A region that shows policies the services of its server, which is visible only in this package.
 */
public abstract class CountedRegion extends HRegion {
  /** Never runs. */
  @SuppressWarnings("deprecation") // all of HBase's are
  protected CountedRegion() {
    super((HRegionFileSystem) null, null, null, null, null);
  }

  /** Returns the services. */
  protected abstract RegionServerServices services();

  @Override
  RegionServerServices getRegionServerServices() {
    return services();
  }
}
