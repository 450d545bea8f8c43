package dev.cairn.coprocessor.facade;

import java.io.IOException;
import java.util.Collection;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.RowProcessor;

/** Implements the methods of a region that write to it. Thread-safe. */
@SuppressWarnings("deprecation") // coprocessors call the older forms, too
abstract class WritableRegion extends HRegion {
  private static final long NONE = HConstants.NO_NONCE;

  private volatile OwnWrites writes; // null until the region is open

  /** Never runs. */
  WritableRegion() {
    super((HRegionFileSystem) null, null, null, null, null);
  }

  /** Lets coprocessors write to the region. */
  public final void writtenBy(OwnWrites own) {
    writes = own;
  }

  private OwnWrites writes() throws NotServingRegionException {
    OwnWrites own = writes;
    if (own == null) {
      throw new NotServingRegionException(this + " is not open for writes");
    }
    return own;
  }

  @Override
  public void put(Put put) throws IOException {
    writes().mutate(put, NONE, NONE);
  }

  @Override
  public void delete(Delete delete) throws IOException {
    writes().mutate(delete, NONE, NONE);
  }

  @Override
  public Result append(Append append) throws IOException {
    return append(append, NONE, NONE);
  }

  @Override
  public Result append(Append append, long nonceGroup, long nonce) throws IOException {
    return writes().mutate(append, nonceGroup, nonce);
  }

  @Override
  public Result increment(Increment increment) throws IOException {
    return increment(increment, NONE, NONE);
  }

  @Override
  public Result increment(Increment increment, long nonceGroup, long nonce) throws IOException {
    return writes().mutate(increment, nonceGroup, nonce);
  }

  @Override
  public OperationStatus[] batchMutate(Mutation[] mutations) throws IOException {
    boolean atomic =
        Stream.of(mutations).anyMatch(one -> one instanceof Increment || one instanceof Append);
    return batchMutate(mutations, atomic, NONE, NONE);
  }

  @Override
  public OperationStatus[] batchMutate(
      Mutation[] mutations, boolean atomic, long nonceGroup, long nonce) throws IOException {
    return writes().batch(mutations, atomic, nonceGroup, nonce);
  }

  @Override
  public Result mutateRow(RowMutations mutations) throws IOException {
    return mutateRow(mutations, NONE, NONE);
  }

  @Override
  public Result mutateRow(RowMutations mutations, long nonceGroup, long nonce) throws IOException {
    return writes().together(mutations.getMutations(), nonceGroup, nonce);
  }

  @Override
  public void mutateRowsWithLocks(
      Collection<Mutation> mutations, Collection<byte[]> rows, long nonceGroup, long nonce)
      throws IOException {
    writes().together(mutations, rows, nonceGroup, nonce);
  }

  @Override
  public void processRowsWithLocks(RowProcessor<?, ?> processor) throws IOException {
    processRowsWithLocks(processor, NONE, NONE);
  }

  @Override
  public void processRowsWithLocks(RowProcessor<?, ?> processor, long nonceGroup, long nonce)
      throws IOException {
    processRowsWithLocks(processor, processingLimitMillis(), nonceGroup, nonce);
  }

  @Override
  public void processRowsWithLocks(
      RowProcessor<?, ?> processor, long limitMillis, long nonceGroup, long nonce)
      throws IOException {
    writes().process(this, processor, limitMillis, nonceGroup, nonce);
  }

  /** Returns the time that a row processor may take, if its caller names none. */
  abstract long processingLimitMillis();

  @Override
  public CheckAndMutateResult checkAndMutate(CheckAndMutate check) throws IOException {
    return checkAndMutate(check, NONE, NONE);
  }

  @Override
  public CheckAndMutateResult checkAndMutate(CheckAndMutate check, long nonceGroup, long nonce)
      throws IOException {
    return writes().check(check, nonceGroup, nonce);
  }

  @Override
  public boolean checkAndMutate(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      ByteArrayComparable value,
      Mutation mutation)
      throws IOException {
    return checkAndMutate(row, family, qualifier, operator, value, null, mutation);
  }

  @Override
  public boolean checkAndMutate(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      ByteArrayComparable value,
      TimeRange times,
      Mutation mutation)
      throws IOException {
    return holds(
        CheckAndMutate.newBuilder(row)
            .ifMatches(family, qualifier, operator, value.getValue())
            .timeRange(times),
        mutation);
  }

  @Override
  public boolean checkAndMutate(byte[] row, Filter filter, Mutation mutation) throws IOException {
    return checkAndMutate(row, filter, null, mutation);
  }

  @Override
  public boolean checkAndMutate(byte[] row, Filter filter, TimeRange times, Mutation mutation)
      throws IOException {
    return holds(CheckAndMutate.newBuilder(row).ifMatches(filter).timeRange(times), mutation);
  }

  @Override
  public boolean checkAndRowMutate(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      ByteArrayComparable value,
      RowMutations mutations)
      throws IOException {
    return checkAndRowMutate(row, family, qualifier, operator, value, null, mutations);
  }

  @Override
  public boolean checkAndRowMutate(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      ByteArrayComparable value,
      TimeRange times,
      RowMutations mutations)
      throws IOException {
    return checkAndMutate(
            CheckAndMutate.newBuilder(row)
                .ifMatches(family, qualifier, operator, value.getValue())
                .timeRange(times)
                .build(mutations))
        .isSuccess();
  }

  @Override
  public boolean checkAndRowMutate(byte[] row, Filter filter, RowMutations mutations)
      throws IOException {
    return checkAndRowMutate(row, filter, null, mutations);
  }

  @Override
  public boolean checkAndRowMutate(
      byte[] row, Filter filter, TimeRange times, RowMutations mutations) throws IOException {
    return checkAndMutate(
            CheckAndMutate.newBuilder(row).ifMatches(filter).timeRange(times).build(mutations))
        .isSuccess();
  }

  private boolean holds(CheckAndMutate.Builder check, Mutation mutation) throws IOException {
    CheckAndMutate built;
    if (mutation instanceof Put put) {
      built = check.build(put);
    } else if (mutation instanceof Delete delete) {
      built = check.build(delete);
    } else if (mutation instanceof Increment increment) {
      built = check.build(increment);
    } else {
      built = check.build((Append) mutation);
    }
    return checkAndMutate(built).isSuccess();
  }

  @Override
  public RowLock getRowLock(byte[] row) throws IOException {
    return getRowLock(row, false);
  }

  @Override
  public RowLock getRowLock(byte[] row, boolean shared) throws IOException {
    return writes().lock(row, shared);
  }

  @Override
  public void startRegionOperation() throws IOException {
    startRegionOperation(Operation.ANY);
  }

  @Override
  public void startRegionOperation(Operation operation) throws IOException {
    writes().enter(operation);
  }

  @Override
  public void closeRegionOperation() throws IOException {
    closeRegionOperation(Operation.ANY);
  }

  @Override
  public void closeRegionOperation(Operation operation) throws IOException {
    writes().leave(operation);
  }
}
