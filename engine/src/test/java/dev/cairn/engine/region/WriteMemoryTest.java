package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PutBatch;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Writes that read long values, where there is no memory for those, or they cannot be read. */
class WriteMemoryTest {
  private static final int LARGE = 512 << 10;

  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();
  private final MemoryAccount account = new MemoryAccount(4L << 20, 0, harness.clock);

  WriteMemoryTest() throws IOException {
    harness.closeCleanly();
    harness.borrowFrom(account);
    harness.open();
    harness.put("large", "q", "x".repeat(LARGE));
    harness.region().flush();
  }

  @Test
  void anAppendThatHasNoMemoryIsRefused_andTheRestOfItsBatchIsNot() throws IOException {
    long taken = account.largestLoan();
    assertThat(account.tryBorrow(taken)).isTrue();
    List<MutationOutcome> outcomes = harness.mutate(batch());
    assertThat(outcomes.get(0)).isInstanceOf(MutationOutcome.Done.class);
    assertThat(((MutationOutcome.Refused) outcomes.get(1)).cause())
        .isInstanceOf(RegionBusyException.class);
    assertThat(outcomes.get(2)).isInstanceOf(MutationOutcome.Done.class);
    assertThat(account.borrowedBytes()).isEqualTo(taken);
    assertThat(harness.get("large", "q")).hasSize(LARGE);

    account.giveBack(taken);
    RegionHarness.done(harness.mutate(batch()));
    assertThat(harness.get("large", "q")).hasSize(LARGE + 1);
    assertThat(harness.get("small", "q")).isEqualTo("ww");
    assertThat(account.borrowedBytes()).isZero();
  }

  @Test
  void aConditionThatHasNoMemoryIsRefused() throws IOException {
    long taken = account.largestLoan();
    assertThat(account.tryBorrow(taken)).isTrue();
    assertThatThrownBy(this::changeIfLarge).isInstanceOf(RegionBusyException.class);
    account.giveBack(taken);
    changeIfLarge();
    assertThat(harness.get("large", "r")).isEqualTo("v");
    assertThat(account.borrowedBytes()).isZero();
  }

  private void changeIfLarge() throws IOException {
    harness.checkAndMutate(
        new Condition(
            ScanRequest.row(Bytes.utf8("large")).build(),
            found -> found.orElseThrow().valueLength() == LARGE),
        List.of(putOf("large", F, "r", 1, "v")));
  }

  @Test
  void anAppendThatCannotReadIsRefused_andTheRestOfItsBatchIsNot() throws IOException {
    AtomicBoolean failing = new AtomicBoolean();
    harness.closeCleanly();
    harness.failWith(
        (operation, path) ->
            operation == StorageOperation.READ && path.startsWith("data/") && failing.get());
    harness.open();
    failing.set(true);
    List<MutationOutcome> outcomes = harness.mutate(batch());
    failing.set(false);
    assertThat(outcomes.get(1)).isInstanceOf(MutationOutcome.Refused.class);
    assertThat(outcomes.get(2)).isInstanceOf(MutationOutcome.Done.class);
    assertThat(harness.get("large", "q")).hasSize(LARGE);
    assertThat(harness.get("small", "r")).isEqualTo("w");
  }

  /** Room for cells up to a length. */
  private static final class Room implements MemStoreRoom {
    private final long cellBytesMax;
    private final AtomicLong reserved = new AtomicLong();

    Room(long cellBytesMax) {
      this.cellBytesMax = cellBytesMax;
    }

    @Override
    public void reserve(long bytes) throws RegionBusyException {
      if (bytes > cellBytesMax) {
        throw new RegionBusyException("no room");
      }
      reserved.addAndGet(bytes);
    }

    @Override
    public void release(long bytes) {
      reserved.addAndGet(-bytes);
    }
  }

  @Test
  void anAppendReservesRoomForTheCellThatItMakes() throws IOException {
    Room room = new Room(Long.MAX_VALUE);
    reopenWithin(room);
    RegionHarness.done(harness.mutate(List.of(append("large", "q"))));
    assertThat(room.reserved.get()).isBetween(LARGE + 1L, LARGE + 200L);
    harness.mutateTogether(List.of(append("large", "q")));
    assertThat(room.reserved.get()).isBetween(2L * LARGE + 3, 2L * LARGE + 400);
  }

  @Test
  void anAppendReservesRoomOnAThreadThatMustNotWait() throws IOException {
    Room room = new Room(Long.MAX_VALUE);
    reopenWithin(room);
    harness.put("short", "q", "x".repeat(1000));
    long before = room.reserved.get();
    harness.clock.stop(); // or the time for quick reads is over at once
    MutationOutcome begun = RegionHarness.begun(harness.region(), append("short", "q"));
    assertThat(begun.cells().get(0).valueLength()).isEqualTo(1001);
    assertThat(room.reserved.get() - before).isBetween(1001L, 1200L);
  }

  @Test
  void whatIsNotBegunReservesNothing() throws IOException {
    Room room = new Room(Long.MAX_VALUE);
    reopenWithin(room); // and the cache is empty
    harness.region().flush();
    harness.kill();
    assertThat(RegionHarness.begin(harness.region(), append("large", "q"))).isEmpty();
    assertThat(room.reserved.get()).isZero();
  }

  @Test
  void whatIsRefusedReservesNothing() throws IOException {
    Room room = new Room(Long.MAX_VALUE);
    reopenWithin(room);
    Mutation increment =
        new Mutation(
            Mutation.Kind.INCREMENT,
            Bytes.utf8("large"),
            putOf("large", F, "q", Cell.LATEST_TIMESTAMP, "12345678").cells(),
            Mutation.Durability.USE_DEFAULT,
            TimeRange.ALL,
            true);
    assertThat(harness.mutate(List.of(increment)).get(0))
        .isInstanceOf(MutationOutcome.Refused.class);
    CellBuffer cells = putOf("r", Bytes.utf8("unknown"), "q", 1, "v").cells();
    PutBatch puts = new PutBatch(cells, new int[] {1}, Mutation.Durability.USE_DEFAULT);
    assertThatThrownBy(() -> harness.write(puts)).isInstanceOf(InvalidMutationException.class);
    assertThat(
            harness.checkAndMutate(
                new Condition(ScanRequest.row(Bytes.utf8("large")).build(), found -> false),
                List.of(putOf("large", F, "r", 1, "v"))))
        .isFalse();
    assertThat(room.reserved.get()).isZero();
  }

  @Test
  void anAppendWithoutRoomIsRefused_andTheRestOfItsBatchIsNot() throws IOException {
    reopenWithin(new Room(1000));
    List<MutationOutcome> outcomes = harness.mutate(batch());
    assertThat(outcomes.get(0)).isInstanceOf(MutationOutcome.Done.class);
    assertThat(((MutationOutcome.Refused) outcomes.get(1)).cause())
        .isInstanceOf(RegionBusyException.class)
        .hasMessage("no room");
    assertThat(outcomes.get(2)).isInstanceOf(MutationOutcome.Done.class);
    assertThatThrownBy(() -> harness.mutateTogether(batch()))
        .isInstanceOf(RegionBusyException.class);
    assertThat(harness.get("large", "q")).hasSize(LARGE);
    assertThat(harness.get("small", "q")).isEqualTo("w");
    assertThat(account.borrowedBytes()).isZero();
  }

  private void reopenWithin(MemStoreRoom room) throws IOException {
    harness.closeCleanly();
    harness.shareRoom(room);
    harness.open();
  }

  private static List<Mutation> batch() {
    return List.of(append("small", "q"), append("large", "q"), append("small", "r"));
  }

  private static Mutation append(String row, String qualifier) {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8(row),
        F,
        Bytes.utf8(qualifier),
        Cell.LATEST_TIMESTAMP,
        CellType.PUT.code(),
        Bytes.utf8("w"),
        Bytes.EMPTY);
    return new Mutation(
        Kind.APPEND,
        Bytes.utf8(row),
        cells,
        Mutation.Durability.USE_DEFAULT,
        TimeRange.ALL,
        true,
        Nonce.NONE);
  }
}
