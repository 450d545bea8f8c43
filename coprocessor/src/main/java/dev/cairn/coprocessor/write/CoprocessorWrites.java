package dev.cairn.coprocessor.write;

import dev.cairn.coprocessor.convert.ShownMutation;
import dev.cairn.coprocessor.facade.OperationHooks.Running;
import dev.cairn.coprocessor.facade.OwnWrites;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.region.state.RegionGate;
import dev.cairn.engine.region.steps.WriteSteps;
import dev.cairn.engine.region.write.ExplicitRowLocks.Held;
import dev.cairn.engine.region.write.ExplicitRowLocks.Mode;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.server.hook.RegionHost;
import dev.cairn.server.regionserver.hooked.HookedTable;
import dev.cairn.server.regionserver.hosted.EngineErrors;
import dev.cairn.server.regionserver.hosted.ReferenceCheck;
import dev.cairn.server.regionserver.hosted.RegionWrites;
import dev.cairn.server.request.ConditionDecoder;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region.Operation;
import org.apache.hadoop.hbase.regionserver.Region.RowLock;
import org.apache.hadoop.hbase.regionserver.RowProcessor;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/**
 * The writes of coprocessors to their region, with the hooks that HBase calls for them. Failures
 * have HBase's classes of exceptions, because coprocessors catch these. Thread-safe.
 */
@SuppressWarnings("deprecation") // row processors
public final class CoprocessorWrites implements OwnWrites {
  private final HookedRegionWrites region;
  private final ConditionDecoder conditions;

  /** The open visits of each thread, the latest first. */
  private final ConcurrentMap<Thread, Deque<RegionGate.Visit>> visits = new ConcurrentHashMap<>();

  /**
   * Creates the writes of a region.
   *
   * @param host reads the filters of conditions, and looks up references
   * @param table limits the handlers
   */
  public CoprocessorWrites(
      RegionInfo info,
      TableSchema schema,
      WriteSteps steps,
      WriteHooks hooks,
      RegionHost host,
      HookedTable table) {
    this.region =
        new HookedRegionWrites(
            info, schema, steps, hooks, table, ReferenceCheck.of(schema, host.references()));
    this.conditions = new ConditionDecoder(host.filters());
  }

  /** Returns the writes of the region's clients, which call all hooks. */
  public RegionWrites ofClients() {
    return new HookedWrites(region);
  }

  private static Nonce nonce(long group, long nonce) {
    return nonce == HConstants.NO_NONCE ? Nonce.NONE : new Nonce(group, nonce);
  }

  private BatchState run(
      Collection<Mutation> mutations, boolean atomic, long nonceGroup, long nonce)
      throws IOException {
    try {
      return new HookedBatch(region, shown(mutations, nonceGroup, nonce), atomic, 0).run();
    } catch (IOException e) {
      throw EngineErrors.forClient(e);
    }
  }

  /** Mutations that are applied together share a nonce, which the first one has. */
  private List<ShownMutation> shown(
      Collection<? extends Mutation> mutations, long nonceGroup, long nonce) throws IOException {
    List<ShownMutation> shown = new ArrayList<>();
    for (Mutation mutation : mutations) {
      shown.add(
          ShownMutation.of(
              mutation, shown.isEmpty() ? nonce(nonceGroup, nonce) : Nonce.NONE, region.schema()));
    }
    return shown;
  }

  @Override
  public OperationStatus[] batch(Mutation[] mutations, boolean atomic, long nonceGroup, long nonce)
      throws IOException {
    return run(List.of(mutations), atomic, nonceGroup, nonce).statuses();
  }

  @Override
  public Result mutate(Mutation mutation, long nonceGroup, long nonce) throws IOException {
    try (Running single = region.hooks().begin(WriteHooks.operation(mutation))) {
      BatchState done = run(List.of(mutation), false, nonceGroup, nonce);
      return done.result(0);
    } catch (IOException e) {
      throw EngineErrors.forClient(e);
    }
  }

  @Override
  public Result together(Collection<Mutation> mutations, long nonceGroup, long nonce)
      throws IOException {
    return HookedCheck.result(run(mutations, true, nonceGroup, nonce));
  }

  @Override
  public Result together(
      Collection<Mutation> mutations, Collection<byte[]> rows, long nonceGroup, long nonce)
      throws IOException {
    try (RegionGate.Visit visit = region.steps().enter();
        Held held = region.steps().locks().lockAll(rows, Mode.EXCLUSIVE)) {
      return together(mutations, nonceGroup, nonce);
    } catch (IOException e) {
      throw EngineErrors.forClient(e);
    }
  }

  @Override
  public CheckAndMutateResult check(CheckAndMutate check, long nonceGroup, long nonce)
      throws IOException {
    ClientProtos.Condition message =
        ProtobufUtil.toCondition(
            check.getRow(),
            check.getFamily(),
            check.getQualifier(),
            check.getCompareOp(),
            check.getValue(),
            check.getFilter(),
            check.getTimeRange(),
            false);
    Row action = check.getAction();
    List<Mutation> mutations =
        action instanceof RowMutations group ? group.getMutations() : List.of((Mutation) action);
    try {
      return new HookedCheck(
              region,
              check,
              conditions.decode(message, check.getRow()),
              shown(mutations, nonceGroup, nonce))
          .ofCoprocessor();
    } catch (IOException e) {
      throw EngineErrors.forClient(e);
    }
  }

  @Override
  public void process(
      HRegion shown, RowProcessor<?, ?> processor, long limitMillis, long nonceGroup, long nonce)
      throws IOException {
    try {
      new RowProcessing(region, shown, processor).run(limitMillis, nonce(nonceGroup, nonce));
    } catch (IOException e) {
      throw EngineErrors.forClient(e);
    }
  }

  @Override
  public RowLock lock(byte[] row, boolean shared) throws IOException {
    try {
      Held held = region.steps().locks().lock(row, shared ? Mode.SHARED : Mode.EXCLUSIVE);
      return held::close;
    } catch (IOException e) {
      throw EngineErrors.forClient(e);
    }
  }

  @Override
  public void enter(Operation operation) throws IOException {
    RegionGate.Visit visit;
    try {
      visit = region.steps().enter();
    } catch (RegionClosedException e) {
      throw EngineErrors.forClient(e);
    }
    boolean entered = false;
    try {
      region.hooks().begin(operation); // it ends in leave
      visits.computeIfAbsent(Thread.currentThread(), thread -> new ArrayDeque<>()).push(visit);
      entered = true;
    } finally {
      if (!entered) {
        visit.close();
      }
    }
  }

  @Override
  public void leave(Operation operation) throws IOException {
    Thread thread = Thread.currentThread();
    Deque<RegionGate.Visit> own = visits.get(thread);
    if (own == null) {
      throw new IllegalMonitorStateException(
          "The thread has not started an operation of the region");
    }
    RegionGate.Visit visit = own.pop();
    if (own.isEmpty()) {
      visits.remove(thread);
    }
    visit.close();
    region.hooks().ended(operation);
  }
}
