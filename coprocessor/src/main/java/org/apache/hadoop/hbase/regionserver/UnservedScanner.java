package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;

/**
 * A scanner of a region whose methods all throw, as in {@link UnservedRegion}. HBase's constructor
 * is visible only in its package.
 */
@SuppressWarnings({"deprecation", "rawtypes", "unchecked"})
public abstract class UnservedScanner extends RegionScannerImpl {
  /** Never runs. */
  protected UnservedScanner() throws IOException {
    super(null, null, null, 0, 0);
  }

  private static UnsupportedOperationException unserved(String method) {
    return new UnsupportedOperationException(
        "RegionScannerImpl." + method + " is not served by Cairn");
  }

  @Override
  public void close() {
    throw unserved("close");
  }

  @Override
  public int getBatch() {
    throw unserved("getBatch");
  }

  @Override
  public org.apache.hadoop.hbase.regionserver.ScannerContext getContext() {
    throw unserved("getContext");
  }

  @Override
  public long getMaxResultSize() {
    throw unserved("getMaxResultSize");
  }

  @Override
  public long getMvccReadPoint() {
    throw unserved("getMvccReadPoint");
  }

  @Override
  public java.lang.String getOperationId() {
    throw unserved("getOperationId");
  }

  @Override
  public org.apache.hadoop.hbase.client.RegionInfo getRegionInfo() {
    throw unserved("getRegionInfo");
  }

  @Override
  protected void initializeKVHeap(
      java.util.List<org.apache.hadoop.hbase.regionserver.KeyValueScanner> a0,
      java.util.List<org.apache.hadoop.hbase.regionserver.KeyValueScanner> a1,
      org.apache.hadoop.hbase.regionserver.HRegion a2)
      throws java.io.IOException {
    throw unserved("initializeKVHeap");
  }

  @Override
  public boolean isFilterDone() throws java.io.IOException {
    throw unserved("isFilterDone");
  }

  @Override
  public boolean nextRaw(
      java.util.List<org.apache.hadoop.hbase.Cell> a0,
      org.apache.hadoop.hbase.regionserver.ScannerContext a1)
      throws java.io.IOException {
    throw unserved("nextRaw");
  }

  @Override
  public boolean nextRaw(java.util.List<org.apache.hadoop.hbase.Cell> a0)
      throws java.io.IOException {
    throw unserved("nextRaw");
  }

  @Override
  protected boolean nextRow(
      org.apache.hadoop.hbase.regionserver.ScannerContext a0, org.apache.hadoop.hbase.Cell a1)
      throws java.io.IOException {
    throw unserved("nextRow");
  }

  @Override
  public boolean next(
      java.util.List<org.apache.hadoop.hbase.Cell> a0,
      org.apache.hadoop.hbase.regionserver.ScannerContext a1)
      throws java.io.IOException {
    throw unserved("next");
  }

  @Override
  public boolean next(java.util.List<org.apache.hadoop.hbase.Cell> a0) throws java.io.IOException {
    throw unserved("next");
  }

  @Override
  public boolean reseek(byte[] a0) throws java.io.IOException {
    throw unserved("reseek");
  }

  @Override
  public void run() throws java.io.IOException {
    throw unserved("run");
  }

  @Override
  public void shipped() throws java.io.IOException {
    throw unserved("shipped");
  }

  @Override
  protected boolean shouldStop(org.apache.hadoop.hbase.Cell a0) {
    throw unserved("shouldStop");
  }
}
