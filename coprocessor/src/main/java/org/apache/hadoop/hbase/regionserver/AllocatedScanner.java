package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;

/**
 * The superclass of a scanner that is allocated without a constructor. In HBase's package, because
 * HBase's constructor is visible there alone.
 */
public abstract class AllocatedScanner extends RegionScannerImpl {
  /** Never runs. */
  protected AllocatedScanner() throws IOException {
    super(null, null, null, 0, 0);
  }
}
