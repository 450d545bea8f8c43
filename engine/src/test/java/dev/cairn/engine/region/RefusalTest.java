package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Waiting;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A write that is refused for what stands in the row is refused once that is safe. */
class RefusalTest {
  private final AtomicBoolean holding = new AtomicBoolean();
  private final CountDownLatch syncing = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private RegionHarness harness;

  @BeforeEach
  void open() throws IOException {
    harness = new RegionHarness(TableSchema.of(TableName.parse("t"), FamilySchema.of("f")));
    harness.closeCleanly();
    harness.failWith(
        (operation, path) -> {
          if (operation == StorageOperation.SYNC && holding.get()) {
            syncing.countDown();
            Waiting.until(go);
          }
          return false;
        });
    harness.open();
  }

  @AfterEach
  void close() throws IOException {
    go.countDown();
    harness.close();
  }

  @Test
  void anIncrementOfTextIsRefusedOnceTheTextIsSafe() throws Exception {
    assertToldWhenSafe(() -> harness.mutateTogether(List.of(increment())));
  }

  @Test
  void soIsOneInABatch() throws Exception {
    assertToldWhenSafe(
        () -> {
          RegionHarness.done(harness.mutate(List.of(increment())));
          return null;
        });
  }

  @Test
  void soIsOneUnderACondition() throws Exception {
    Condition any = new Condition(ScanRequest.row(Bytes.utf8("r")).build(), found -> true);
    assertToldWhenSafe(() -> harness.checkAndMutate(any, List.of(increment())));
  }

  private void assertToldWhenSafe(Callable<?> refused) throws Exception {
    holding.set(true);
    FutureTask<Void> put =
        new FutureTask<>(
            () -> {
              harness.put("r", "q", "text");
              return null;
            });
    new Thread(put, "test-put").start();
    Waiting.until(syncing);
    FutureTask<?> other = new FutureTask<>(refused);
    Thread thread = new Thread(other, "test-increment");
    thread.start();
    Waiting.untilWaitingOrDone(thread);
    assertThat(other.isDone()).as("told before what it saw is safe").isFalse();
    go.countDown();
    put.get();
    assertThatThrownBy(other::get)
        .hasCauseInstanceOf(InvalidMutationException.class)
        .hasMessageContaining("not a long");
  }

  private static Mutation increment() {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8("r"),
        F,
        Bytes.utf8("q"),
        Cell.LATEST_TIMESTAMP,
        CellType.PUT.code(),
        Bytes.ofLong(1),
        Bytes.EMPTY);
    return new Mutation(
        Mutation.Kind.INCREMENT,
        Bytes.utf8("r"),
        cells,
        Mutation.Durability.USE_DEFAULT,
        TimeRange.ALL,
        true);
  }
}
