package dev.cairn.coprocessor.write;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.wal.WALEdit;

/** Has hooks in their older forms, which HBase calls by way of the newer ones. */
@SuppressWarnings("deprecation") // that is the point
public class OlderHooks implements RegionCoprocessor, RegionObserver {
  static final List<String> CALLS = new CopyOnWriteArrayList<>();

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void prePut(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Put put,
      WALEdit edit,
      Durability durability) {
    CALLS.add("prePut " + durability);
  }

  @Override
  public void postDelete(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Delete delete,
      WALEdit edit,
      Durability durability) {
    CALLS.add("postDelete " + durability);
  }

  @Override
  public boolean preCheckAndPut(
      ObserverContext<RegionCoprocessorEnvironment> c,
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      ByteArrayComparable value,
      Put put,
      boolean result) {
    CALLS.add("preCheckAndPut " + operator);
    return result;
  }

  @Override
  public boolean preCheckAndDeleteAfterRowLock(
      ObserverContext<RegionCoprocessorEnvironment> c,
      byte[] row,
      Filter filter,
      Delete delete,
      boolean result) {
    CALLS.add("preCheckAndDeleteAfterRowLock " + filter);
    return result;
  }

  @Override
  public boolean postCheckAndPut(
      ObserverContext<RegionCoprocessorEnvironment> c,
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator operator,
      ByteArrayComparable value,
      Put put,
      boolean result) {
    CALLS.add("postCheckAndPut " + result);
    return result;
  }

  @Override
  public Result preIncrement(ObserverContext<RegionCoprocessorEnvironment> c, Increment increment) {
    CALLS.add("preIncrement");
    return null;
  }

  @Override
  public Cell postMutationBeforeWAL(
      ObserverContext<RegionCoprocessorEnvironment> c,
      MutationType type,
      Mutation mutation,
      Cell old,
      Cell computed) {
    CALLS.add("postMutationBeforeWAL " + type);
    return computed;
  }
}
