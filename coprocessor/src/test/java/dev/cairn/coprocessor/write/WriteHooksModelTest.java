package dev.cairn.coprocessor.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;

/**
 * Random writes, each with a plan for the hooks in an attribute: they bypass it, refuse it, change
 * it, add to it, or throw. A model says which values are there afterwards, and what the client is
 * told. A failure prints its seed.
 */
class WriteHooksModelTest {
  private static final int ROUNDS = 2;
  private static final int OPERATIONS = 300;
  private static final int ROWS = 6;
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] V = Bytes.toBytes("v");
  private static final byte[] N = Bytes.toBytes("n");

  /** What the hooks do with a mutation. */
  private enum Plan {
    NOTHING,
    BYPASS,
    REFUSE,
    DECIDE,
    CHANGE_BEFORE,
    CHANGE_CELL,
    ADD_PUT,
    ADD_DELETE,
    THROW_BEFORE,
    THROW_IN_BATCH;

    boolean fails() {
      return this == THROW_BEFORE || this == THROW_IN_BATCH;
    }

    boolean isWritten() {
      return this != BYPASS && this != REFUSE && this != DECIDE;
    }
  }

  /** A put or delete of a row's value. */
  private record Change(int row, boolean isPut, String value, Plan plan, int other) {
    Mutation mutation() {
      Mutation made =
          isPut
              ? new Put(key(row)).addColumn(F, V, Bytes.toBytes(value))
              : new Delete(key(row)).addColumns(F, V);
      made.setAttribute("plan", Bytes.toBytes(plan.name()));
      made.setAttribute("other", Bytes.toBytes(other));
      return made;
    }
  }

  private final Map<Integer, String> values = new TreeMap<>();
  private final Map<Integer, Long> counters = new TreeMap<>();
  private Random random;
  private Object last; // what was done, for a failure
  private int written;

  private static byte[] key(int row) {
    return Bytes.toBytes("row" + row);
  }

  private static Plan plan(Mutation mutation) {
    return Plan.valueOf(Bytes.toString(mutation.getAttribute("plan")));
  }

  private static void installHooks() {
    Recorder.ACTS.clear();
    Recorder.Act before =
        (context, arguments) -> {
          Mutation mutation = (Mutation) arguments[0];
          switch (plan(mutation)) {
            case BYPASS -> context.bypass();
            case THROW_BEFORE -> throw new DoNotRetryIOException("planned");
            case CHANGE_BEFORE -> change(mutation);
            default -> {}
          }
          return null;
        };
    Recorder.ACTS.put("prePut", before);
    Recorder.ACTS.put("preDelete", before);
    Recorder.ACTS.put("preBatchMutate", (context, arguments) -> inBatch(arguments[0]));
    Recorder.ACTS.put(
        "preIncrementAfterRowLock",
        (context, arguments) -> {
          if (plan((Mutation) arguments[0]) == Plan.BYPASS) {
            context.bypass();
            return Result.create(
                List.of(new KeyValue(key(0), F, N, 1, KeyValue.Type.Put, Bytes.toBytes(777L))));
          }
          return null;
        });
    Recorder.ACTS.put(
        "postIncrementBeforeWAL",
        (context, arguments) -> {
          if (plan((Mutation) arguments[0]) != Plan.CHANGE_CELL) {
            return arguments[1];
          }
          List<Pair<Cell, Cell>> doubled = new ArrayList<>();
          for (Object each : (List<?>) arguments[1]) {
            Cell computed = (Cell) ((Pair<?, ?>) each).getSecond();
            doubled.add(
                new Pair<>(
                    null,
                    new KeyValue(
                        CellUtil.cloneRow(computed),
                        F,
                        N,
                        computed.getTimestamp(),
                        KeyValue.Type.Put,
                        Bytes.toBytes(2 * Bytes.toLong(CellUtil.cloneValue(computed))))));
          }
          return doubled;
        });
  }

  /** Appends a mark to the values of a put; a delete stays. */
  private static void change(Mutation mutation) {
    mutation
        .getFamilyCellMap()
        .values()
        .forEach(
            cells ->
                cells.replaceAll(
                    cell ->
                        cell.getType() != Cell.Type.Put
                            ? cell
                            : new KeyValue(
                                CellUtil.cloneRow(cell),
                                F,
                                V,
                                cell.getTimestamp(),
                                KeyValue.Type.Put,
                                Bytes.add(CellUtil.cloneValue(cell), Bytes.toBytes("!")))));
  }

  @SuppressWarnings("unchecked") // of a batch's mutations
  private static Object inBatch(Object argument) throws IOException {
    MiniBatchOperationInProgress<Mutation> batch =
        (MiniBatchOperationInProgress<Mutation>) argument;
    for (int i = 0; i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      if (batch.getOperationStatus(i) != OperationStatus.NOT_RUN || mutation instanceof Increment) {
        continue;
      }
      byte[] other = key(Bytes.toInt(mutation.getAttribute("other")));
      switch (plan(mutation)) {
        case REFUSE ->
            batch.setOperationStatus(
                i, new OperationStatus(OperationStatusCode.FAILURE, "planned"));
        case DECIDE -> batch.setOperationStatus(i, OperationStatus.SUCCESS);
        case CHANGE_CELL -> change(mutation);
        case ADD_PUT ->
            batch.addOperationsFromCP(
                i, new Mutation[] {new Put(other).addColumn(F, V, Bytes.toBytes("added"))});
        case ADD_DELETE ->
            batch.addOperationsFromCP(i, new Mutation[] {new Delete(other).addColumns(F, V)});
        case THROW_IN_BATCH -> throw new DoNotRetryIOException("planned");
        default -> {}
      }
    }
    return null;
  }

  @Test
  void writesAreAsTheModelSays() throws Exception {
    try (CairnServer server =
            CairnServer.builder().setting("hbase.client.retries.number", "1").start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      for (int round = 0; round < ROUNDS; round++) {
        long seed = System.nanoTime();
        random = new Random(seed);
        values.clear();
        counters.clear();
        installHooks();
        TableName name = TableName.valueOf("t" + round);
        admin.createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .setCoprocessor(Recorder.class.getName())
                .build());
        try (Table table = connection.getTable(name)) {
          for (int i = 0; i < OPERATIONS; i++) {
            try {
              operate(table);
              check(table);
            } catch (AssertionError | RuntimeException | IOException e) {
              throw new AssertionError("seed " + seed + ", operation " + i + ": " + last, e);
            }
          }
        }
        Recorder.CALLS.clear();
      }
    }
    assertThat(written).isGreaterThan(100);
  }

  private void operate(Table table) throws Exception {
    switch (random.nextInt(4)) {
      case 0 -> batch(table);
      case 1 -> together(table);
      case 2 -> increment(table);
      default -> check(table, change());
    }
  }

  private Change change() {
    Plan plan =
        random.nextBoolean() ? Plan.NOTHING : Plan.values()[random.nextInt(Plan.values().length)];
    return new Change(
        random.nextInt(ROWS),
        random.nextInt(3) > 0,
        "v" + random.nextInt(1000),
        plan,
        random.nextInt(ROWS));
  }

  private void batch(Table table) throws Exception {
    List<Change> changes = new ArrayList<>();
    for (int i = random.nextInt(5); i >= 0; i--) {
      changes.add(change());
    }
    last = List.copyOf(changes);
    Object[] results = new Object[changes.size()];
    try {
      table.batch(changes.stream().map(Change::mutation).toList(), results);
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("planned");
    }
    boolean fails = fails(changes);
    for (int i = 0; i < results.length; i++) {
      if (fails || changes.get(i).plan() == Plan.REFUSE) {
        assertThat(results[i]).isInstanceOf(DoNotRetryIOException.class);
      } else {
        assertThat(results[i]).isInstanceOf(Result.class);
      }
    }
    if (!fails) {
      changes.sort(Comparator.comparingInt(Change::row));
      apply(changes);
    }
  }

  /** A hook of the batch is called only if something is to be written. */
  private static boolean fails(List<Change> changes) {
    return changes.stream().anyMatch(change -> change.plan().fails());
  }

  private void together(Table table) throws IOException {
    List<Change> changes = new ArrayList<>();
    int row = random.nextInt(ROWS);
    for (int i = random.nextInt(2); i >= 0; i--) {
      Change drawn = change();
      changes.add(new Change(row, drawn.isPut(), drawn.value(), drawn.plan(), drawn.other()));
    }
    last = changes;
    boolean fails =
        fails(changes) || changes.stream().anyMatch(change -> change.plan() == Plan.REFUSE);
    try {
      table.mutateRow(RowMutations.of(changes.stream().map(Change::mutation).toList()));
      assertThat(fails).isFalse();
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("planned");
      assertThat(fails).isTrue();
    }
    if (!fails(changes)) { // what a hook refuses is left out, as in HBase
      apply(changes);
    }
  }

  private void check(Table table, Change change) throws IOException {
    String expected = random.nextBoolean() ? values.get(change.row()) : "another";
    boolean holds = expected == null || expected.equals(values.get(change.row()));
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(key(change.row()));
    check =
        expected == null ? check.ifNotExists(F, V) : check.ifEquals(F, V, Bytes.toBytes(expected));
    last = change + " if it is " + expected;
    CheckAndMutate built =
        change.isPut()
            ? check.build((Put) change.mutation())
            : check.build((Delete) change.mutation());
    boolean fails = holds && (change.plan().fails() || change.plan() == Plan.REFUSE);
    try {
      assertThat(table.checkAndMutate(built).isSuccess()).isEqualTo(holds);
      assertThat(fails).isFalse();
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("planned");
      assertThat(fails).isTrue();
    }
    if (holds && !fails) {
      apply(List.of(change));
    }
  }

  private void increment(Table table) throws IOException {
    int row = random.nextInt(ROWS);
    long amount = random.nextInt(100);
    Plan plan = List.of(Plan.NOTHING, Plan.BYPASS, Plan.CHANGE_CELL).get(random.nextInt(3));
    Increment increment = new Increment(key(row)).addColumn(F, N, amount);
    increment.setAttribute("plan", Bytes.toBytes(plan.name()));
    last = increment;
    long got = Bytes.toLong(table.increment(increment).getValue(F, N));
    if (plan == Plan.BYPASS) {
      assertThat(got).isEqualTo(777);
      return;
    }
    long sum = counters.getOrDefault(row, 0L) + amount;
    assertThat(got).isEqualTo(sum);
    counters.put(row, plan == Plan.CHANGE_CELL ? 2 * sum : sum);
  }

  /** Applies the changes of a batch, which have one timestamp: a delete hides all puts. */
  private void apply(List<Change> changes) {
    for (boolean puts : new boolean[] {true, false}) {
      for (Change change : changes) {
        if (change.plan().isWritten() && change.isPut() == puts) {
          written++;
          boolean marked = change.plan() == Plan.CHANGE_BEFORE || change.plan() == Plan.CHANGE_CELL;
          set(change.row(), change.isPut() ? change.value() + (marked ? "!" : "") : null);
        }
      }
    }
    for (Change change : changes) {
      if (change.plan() == Plan.ADD_PUT) {
        set(change.other(), "added");
      } else if (change.plan() == Plan.ADD_DELETE) {
        set(change.other(), null);
      }
    }
  }

  private void set(int row, String value) {
    if (value == null) {
      values.remove(row);
    } else {
      values.put(row, value);
    }
  }

  private void check(Table table) throws IOException {
    Map<String, String> expected = new TreeMap<>();
    values.forEach((row, value) -> expected.put("row" + row + " v", value));
    counters.forEach((row, value) -> expected.put("row" + row + " n", String.valueOf(value)));
    Map<String, String> found = new TreeMap<>();
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result : scanner) {
        for (Cell cell : result.rawCells()) {
          byte[] value = CellUtil.cloneValue(cell);
          boolean isCounter = CellUtil.matchingQualifier(cell, N);
          found.put(
              Bytes.toString(result.getRow()) + " " + (isCounter ? "n" : "v"),
              isCounter ? String.valueOf(Bytes.toLong(value)) : Bytes.toString(value));
        }
      }
    }
    assertThat(found).isEqualTo(expected);
  }
}
