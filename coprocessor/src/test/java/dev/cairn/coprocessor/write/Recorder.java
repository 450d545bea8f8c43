package dev.cairn.coprocessor.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/** Has all hooks of writes, records their calls, and does in each what a test says. */
@SuppressWarnings("deprecation") // coprocessors may still have these hooks
public class Recorder implements RegionCoprocessor, RegionObserver {
  /** The calls in order, each with its arguments. */
  static final List<String> CALLS = new CopyOnWriteArrayList<>();

  /** What hooks do, by their names. */
  static final Map<String, Act> ACTS = new ConcurrentHashMap<>();

  static volatile RegionCoprocessorEnvironment environment;

  /** What a hook does. */
  @FunctionalInterface
  interface Act {
    /**
     * Does it.
     *
     * @return the hook's result, if it has one
     */
    Object run(ObserverContext<RegionCoprocessorEnvironment> context, Object... arguments)
        throws IOException;
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment of) {
    environment = (RegionCoprocessorEnvironment) of;
  }

  private static Object act(
      String hook,
      ObserverContext<RegionCoprocessorEnvironment> context,
      Object standard,
      Object... arguments)
      throws IOException {
    Act act = ACTS.get(hook);
    return act == null ? standard : act.run(context, arguments);
  }

  private static void called(String hook, Object... arguments) {
    List<String> texts = new ArrayList<>();
    for (Object argument : arguments) {
      texts.add(String.valueOf(argument));
    }
    CALLS.add(hook + " " + String.join(" ", texts));
  }

  static String text(Cell cell) {
    return (cell.getTypeByte() == 4 ? "" : cell.getType() + " ")
        + Bytes.toString(CellUtil.cloneFamily(cell))
        + ":"
        + Bytes.toString(CellUtil.cloneQualifier(cell))
        + (cell.getTypeByte() == 4 ? "=" + value(cell) : "")
        + (cell.getTimestamp() == HConstants.LATEST_TIMESTAMP ? "@now" : "");
  }

  private static String value(Cell cell) {
    byte[] value = CellUtil.cloneValue(cell);
    return value.length == 8 ? String.valueOf(Bytes.toLong(value)) : Bytes.toString(value);
  }

  static String text(Mutation mutation) {
    return mutation.getClass().getSimpleName()
        + "("
        + Bytes.toString(mutation.getRow())
        + mutation.getFamilyCellMap().values().stream()
            .flatMap(List::stream)
            .map(cell -> ", " + text(cell))
            .collect(Collectors.joining())
        + ")";
  }

  static String text(Result result) {
    if (result == null || result.rawCells() == null) {
      return result == null ? "null" : "[]";
    }
    return List.of(result.rawCells()).stream().map(Recorder::text).toList().toString();
  }

  static String text(WALEdit edit) {
    return edit == null ? "null" : edit.getCells().stream().map(Recorder::text).toList().toString();
  }

  private static String text(MiniBatchOperationInProgress<Mutation> batch) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      texts.add(
          text(batch.getOperation(i)) + " " + batch.getOperationStatus(i).getOperationStatusCode());
    }
    return batch.getReadyToWriteCount() + texts.toString();
  }

  private static String text(CheckAndMutate check) {
    return Bytes.toString(check.getRow())
        + (check.hasFilter()
            ? " " + check.getFilter()
            : " "
                + Bytes.toString(check.getFamily())
                + ":"
                + Bytes.toString(check.getQualifier())
                + " "
                + check.getCompareOp()
                + " "
                + (check.getValue().length == 0 ? "[]" : Bytes.toString(check.getValue())))
        + " "
        + check.getAction().getClass().getSimpleName();
  }

  private static String text(CheckAndMutateResult result) {
    return result.isSuccess() + " " + text(result.getResult());
  }

  private static String text(List<Pair<Cell, Cell>> pairs) {
    return pairs.stream()
        .map(
            pair ->
                (pair.getFirst() == null ? "null" : text(pair.getFirst()))
                    + "->"
                    + text(pair.getSecond()))
        .toList()
        .toString();
  }

  @Override
  public void prePut(ObserverContext<RegionCoprocessorEnvironment> c, Put put, WALEdit edit)
      throws IOException {
    called("prePut", text(put));
    act("prePut", c, null, put, edit);
  }

  @Override
  public void postPut(ObserverContext<RegionCoprocessorEnvironment> c, Put put, WALEdit edit)
      throws IOException {
    called("postPut", text(put), text(edit));
    act("postPut", c, null, put, edit);
  }

  @Override
  public void preDelete(
      ObserverContext<RegionCoprocessorEnvironment> c, Delete delete, WALEdit edit)
      throws IOException {
    called("preDelete", text(delete));
    act("preDelete", c, null, delete, edit);
  }

  @Override
  public void postDelete(
      ObserverContext<RegionCoprocessorEnvironment> c, Delete delete, WALEdit edit)
      throws IOException {
    called("postDelete", text(delete), text(edit));
    act("postDelete", c, null, delete, edit);
  }

  @Override
  public void prePrepareTimeStampForDeleteVersion(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Mutation mutation,
      Cell cell,
      byte[] now,
      Get get)
      throws IOException {
    called("prePrepareTimeStampForDeleteVersion", text(cell), get.getMaxVersions());
    act("prePrepareTimeStampForDeleteVersion", c, null, mutation, cell, now, get);
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c, MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    called("preBatchMutate", text(batch));
    act("preBatchMutate", c, null, batch);
  }

  @Override
  public void postBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> c, MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    called("postBatchMutate", text(batch));
    act("postBatchMutate", c, null, batch);
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> c,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success)
      throws IOException {
    called("postBatchMutateIndispensably", success, text(batch));
    act("postBatchMutateIndispensably", c, null, batch, success);
  }

  @Override
  public CheckAndMutateResult preCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> c,
      CheckAndMutate check,
      CheckAndMutateResult result)
      throws IOException {
    called("preCheckAndMutate", text(check));
    return (CheckAndMutateResult) act("preCheckAndMutate", c, result, check, result);
  }

  @Override
  public CheckAndMutateResult preCheckAndMutateAfterRowLock(
      ObserverContext<RegionCoprocessorEnvironment> c,
      CheckAndMutate check,
      CheckAndMutateResult result)
      throws IOException {
    called("preCheckAndMutateAfterRowLock", text(check));
    return (CheckAndMutateResult) act("preCheckAndMutateAfterRowLock", c, result, check, result);
  }

  @Override
  public CheckAndMutateResult postCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> c,
      CheckAndMutate check,
      CheckAndMutateResult result)
      throws IOException {
    called("postCheckAndMutate", text(check), text(result));
    return (CheckAndMutateResult) act("postCheckAndMutate", c, result, check, result);
  }

  @Override
  public Result preAppend(
      ObserverContext<RegionCoprocessorEnvironment> c, Append append, WALEdit edit)
      throws IOException {
    called("preAppend", text(append));
    return (Result) act("preAppend", c, null, append, edit);
  }

  @Override
  public Result preAppendAfterRowLock(
      ObserverContext<RegionCoprocessorEnvironment> c, Append append) throws IOException {
    called("preAppendAfterRowLock", text(append));
    return (Result) act("preAppendAfterRowLock", c, null, append);
  }

  @Override
  public Result postAppend(
      ObserverContext<RegionCoprocessorEnvironment> c, Append append, Result result, WALEdit edit)
      throws IOException {
    called("postAppend", text(append), text(result), text(edit));
    return (Result) act("postAppend", c, result, append, result, edit);
  }

  @Override
  public Result preIncrement(
      ObserverContext<RegionCoprocessorEnvironment> c, Increment increment, WALEdit edit)
      throws IOException {
    called("preIncrement", text(increment));
    return (Result) act("preIncrement", c, null, increment, edit);
  }

  @Override
  public Result preIncrementAfterRowLock(
      ObserverContext<RegionCoprocessorEnvironment> c, Increment increment) throws IOException {
    called("preIncrementAfterRowLock", text(increment));
    return (Result) act("preIncrementAfterRowLock", c, null, increment);
  }

  @Override
  public Result postIncrement(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Increment increment,
      Result result,
      WALEdit edit)
      throws IOException {
    called("postIncrement", text(increment), text(result), text(edit));
    return (Result) act("postIncrement", c, result, increment, result, edit);
  }

  @Override
  @SuppressWarnings("unchecked") // a test's own result
  public List<Pair<Cell, Cell>> postIncrementBeforeWAL(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Mutation mutation,
      List<Pair<Cell, Cell>> pairs)
      throws IOException {
    called("postIncrementBeforeWAL", text(pairs));
    return (List<Pair<Cell, Cell>>) act("postIncrementBeforeWAL", c, pairs, mutation, pairs);
  }

  @Override
  @SuppressWarnings("unchecked") // a test's own result
  public List<Pair<Cell, Cell>> postAppendBeforeWAL(
      ObserverContext<RegionCoprocessorEnvironment> c,
      Mutation mutation,
      List<Pair<Cell, Cell>> pairs)
      throws IOException {
    called("postAppendBeforeWAL", text(pairs));
    return (List<Pair<Cell, Cell>>) act("postAppendBeforeWAL", c, pairs, mutation, pairs);
  }

  @Override
  public void preWALAppend(
      ObserverContext<RegionCoprocessorEnvironment> c, WALKey key, WALEdit edit)
      throws IOException {
    called("preWALAppend", key.getTableName(), text(edit));
    act("preWALAppend", c, null, key, edit);
  }
}
