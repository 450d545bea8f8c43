package dev.cairn.coprocessor.facade;

import java.io.IOException;
import java.util.Collection;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region.RowLock;

/**
 * What coprocessors write to their region. The hooks of the region are called for these writes,
 * too. All methods may wait. Thread-safe.
 */
public interface OwnWrites {
  /**
   * Applies mutations.
   *
   * @param atomic whether all or none are applied
   * @return what has become of each
   * @throws IOException if a hook or the region fails, or one of an atomic batch is refused
   */
  OperationStatus[] batch(Mutation[] mutations, boolean atomic, long nonceGroup, long nonce)
      throws IOException;

  /**
   * Applies one mutation.
   *
   * @return its result, which may be null
   * @throws IOException why it was not done
   */
  Result mutate(Mutation mutation, long nonceGroup, long nonce) throws IOException;

  /**
   * Applies mutations, all or none.
   *
   * @return the results of all in one; null if there are none
   */
  Result together(Collection<Mutation> mutations, long nonceGroup, long nonce) throws IOException;

  /**
   * As {@link #together(Collection, long, long)}, with locks of other rows, too.
   *
   * @param rows other rows to lock
   */
  Result together(
      Collection<Mutation> mutations, Collection<byte[]> rows, long nonceGroup, long nonce)
      throws IOException;

  /** Applies mutations of a row if it is as they demand. */
  CheckAndMutateResult check(CheckAndMutate check, long nonceGroup, long nonce) throws IOException;

  /** Locks a row for the thread, which may lock it again and write to it. */
  RowLock lock(byte[] row, boolean shared) throws IOException;

  /** Enters the region for the thread: it does not close before the thread leaves it. */
  void enter() throws IOException;

  /** Ends the latest {@link #enter} of the thread. */
  void leave();
}
