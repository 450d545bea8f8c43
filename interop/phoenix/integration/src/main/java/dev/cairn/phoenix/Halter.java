package dev.cairn.phoenix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.phoenix.query.QueryConstants;

/**
 * Halts the server's JVM at the n-th call of a chosen hook, without closing anything.
 *
 * <p>The system property {@code cairn.phoenix.halt} names a file. While the file exists, it has two
 * words: a step and a count. A step is {@code TABLE.ORDER.WRITE.HOOK}:
 *
 * <ul>
 *   <li>ORDER: {@code first} before Phoenix's own hooks, {@code last} after them;
 *   <li>WRITE: {@code unverified} or {@code verified} for a batch of index rows in that state,
 *       {@code data} for other batches;
 *   <li>HOOK: {@code pre} for preBatchMutate, {@code post} for postBatchMutate, {@code end} for
 *       postBatchMutateIndispensably.
 * </ul>
 *
 * <p>The count starts when the file appears. Safe for use by many threads.
 */
public abstract class Halter implements RegionCoprocessor, RegionObserver {
  private static final Path FILE = Path.of(System.getProperty("cairn.phoenix.halt"));
  private static int calls; // guarded by the class

  private final String order;

  private Halter(String order) {
    this.order = order;
  }

  /** Runs before Phoenix's hooks, if its priority is smaller than theirs. */
  public static final class First extends Halter {
    /** Called by the server. */
    public First() {
      super("first");
    }
  }

  /** Runs after Phoenix's hooks, if its priority is larger than theirs. */
  public static final class Last extends Halter {
    /** Called by the server. */
    public Last() {
      super("last");
    }
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    reach(context, batch, "pre");
  }

  @Override
  public void postBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    reach(context, batch, "post");
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success)
      throws IOException {
    reach(context, batch, "end");
  }

  private void reach(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch,
      String hook)
      throws IOException {
    String table = context.getEnvironment().getRegionInfo().getTable().getNameAsString();
    String step = String.join(".", table, order, write(batch), hook);
    String[] wanted;
    try {
      wanted = Files.readString(FILE).strip().split(" ");
    } catch (NoSuchFileException e) {
      return;
    }
    if (step.equals(wanted[0])) {
      synchronized (Halter.class) {
        if (++calls == Integer.parseInt(wanted[1])) {
          System.err.println("Halts at call " + calls + " of " + step);
          Runtime.getRuntime().halt(137);
        }
      }
    }
  }

  private static String write(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      for (Iterable<Cell> cells : batch.getOperation(i).getFamilyCellMap().values()) {
        for (Cell cell : cells) {
          // No column of the tables has values of one byte, except that of the state.
          byte[] value = CellUtil.cloneValue(cell);
          if (Arrays.equals(value, QueryConstants.UNVERIFIED_BYTES)) {
            return "unverified";
          }
          if (Arrays.equals(value, QueryConstants.VERIFIED_BYTES)) {
            return "verified";
          }
        }
      }
    }
    return "data";
  }
}
