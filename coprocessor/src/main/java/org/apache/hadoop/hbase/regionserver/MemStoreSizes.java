package org.apache.hadoop.hbase.regionserver;

/**
 * Creates HBase's sizes of memstores. In HBase's package, because their constructors are visible
 * there alone.
 */
public final class MemStoreSizes {
  private MemStoreSizes() {}

  /** Returns the size of a memstore on the heap. */
  public static MemStoreSize of(long dataBytes, long heapBytes, int cells) {
    return new MemStoreSize(dataBytes, heapBytes, 0, cells);
  }
}
