package dev.cairn.coprocessor.facade;

import java.io.IOException;
import java.util.Collection;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.regionserver.Region.RowLock;
import org.apache.hadoop.hbase.regionserver.RowProcessor;

/**
 * The writes of coprocessors to their region. They call the hooks of the region. All methods may
 * block. Thread-safe.
 */
@SuppressWarnings("deprecation") // row processors
public interface OwnWrites {
  /**
   * Applies mutations.
   *
   * @param atomic whether all or none are applied
   * @return the status of each
   * @throws IOException if a hook or the region fails, or one of an atomic batch is refused
   */
  OperationStatus[] batch(Mutation[] mutations, boolean atomic, long nonceGroup, long nonce)
      throws IOException;

  /**
   * Applies one mutation.
   *
   * @return its result, which may be null
   * @throws IOException the reason why it was not applied
   */
  Result mutate(Mutation mutation, long nonceGroup, long nonce) throws IOException;

  /**
   * Applies mutations, all or none.
   *
   * @return the combined results; null if there are none
   */
  Result together(Collection<Mutation> mutations, long nonceGroup, long nonce) throws IOException;

  /**
   * Applies mutations as {@link #together(Collection, long, long)} does, and also locks other rows.
   *
   * @param rows other rows to lock
   */
  Result together(
      Collection<Mutation> mutations, Collection<byte[]> rows, long nonceGroup, long nonce)
      throws IOException;

  /** Applies mutations of a row if their condition holds. */
  CheckAndMutateResult check(CheckAndMutate check, long nonceGroup, long nonce) throws IOException;

  /**
   * Runs a processor on locked rows and writes its mutations, without the hooks of the region.
   *
   * @param region the region as the processor sees it
   * @param limitMillis the time that {@code process} may take; it is unlimited below zero
   */
  void process(
      HRegion region, RowProcessor<?, ?> processor, long limitMillis, long nonceGroup, long nonce)
      throws IOException;

  /** Locks a row for the thread, which may lock it again and write to it. */
  RowLock lock(byte[] row, boolean shared) throws IOException;

  /** Enters the region for the thread: the region does not close before the thread leaves it. */
  void enter(Operation operation) throws IOException;

  /** Ends the latest {@link #enter} of the thread. */
  void leave(Operation operation) throws IOException;
}
