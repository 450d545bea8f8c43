package dev.cairn.coprocessor.facade;

import java.io.Closeable;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.regionserver.RegionCoprocessorHost;

/**
 * Calls the hooks at the start and at the end of the operations of a region. Thread-safe.
 *
 * @param host calls the coprocessors in order
 * @param starts whether a coprocessor overrides the hook of starts
 * @param ends whether a coprocessor overrides the hook of ends
 */
public record OperationHooks(RegionCoprocessorHost host, boolean starts, boolean ends) {
  private static final String START = "postStartRegionOperation";
  private static final String END = "postCloseRegionOperation";
  private static final Running UNSEEN = () -> {};

  /** An operation that has started. */
  @FunctionalInterface
  public interface Running extends Closeable {
    /** Calls the hook of its end. */
    @Override
    void close() throws IOException;
  }

  /** Returns those among the overridden hooks of {@code RegionObserver}. */
  public static OperationHooks of(RegionCoprocessorHost host, Set<String> overridden) {
    return new OperationHooks(host, overridden.contains(START), overridden.contains(END));
  }

  /** Tells whether there are any. */
  public boolean any() {
    return starts || ends;
  }

  /**
   * Calls the hook of the start of an operation.
   *
   * @throws IOException if the hook refuses it; then it has not started
   */
  public Running begin(Operation operation) throws IOException {
    return begin(operation, operation);
  }

  /** As {@link #begin(Operation)}, for operations that end under another name in HBase. */
  public Running begin(Operation operation, Operation end) throws IOException {
    started(operation);
    return ends ? () -> ended(end) : UNSEEN;
  }

  private void started(Operation operation) throws IOException {
    if (starts) {
      host.postStartRegionOperation(operation);
    }
  }

  /** Calls the hook of the end of an operation. */
  public void ended(Operation operation) throws IOException {
    if (ends) {
      host.postCloseRegionOperation(operation);
    }
  }
}
