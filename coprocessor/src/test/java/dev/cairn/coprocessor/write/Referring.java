package dev.cairn.coprocessor.write;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;

/** Writes the value of a put's attribute into its column f:ref, in the way that it is named for. */
public final class Referring implements RegionCoprocessor, RegionObserver {
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] REF = Bytes.toBytes("ref");

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  private static Put put(Put put, byte[] value) throws IOException {
    return new Put(put.getRow()).addColumn(F, REF, value);
  }

  @Override
  public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit)
      throws IOException {
    if (put.getAttribute("alone") != null) {
      context.getEnvironment().getRegion().put(put(put, put.getAttribute("alone")));
    }
    if (put.getAttribute("batch") != null) {
      context
          .getEnvironment()
          .getRegion()
          .batchMutate(new Mutation[] {put(put, put.getAttribute("batch"))});
    }
    if (put.getAttribute("changed") != null) {
      put.addColumn(F, REF, put.getAttribute("changed"));
    }
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    for (int i = 0; i < batch.size(); i++) {
      if (batch.getOperation(i) instanceof Put put && put.getAttribute("added") != null) {
        batch.addOperationsFromCP(i, new Mutation[] {put(put, put.getAttribute("added"))});
      }
    }
  }
}
