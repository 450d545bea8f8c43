package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hooked.HandlerShares;
import dev.cairn.server.regionserver.hooked.HookedTable;
import dev.cairn.server.regionserver.hooked.HookedWork;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.BlockingStoreFiles;
import dev.cairn.server.regionserver.maintenance.Compactions;
import dev.cairn.server.regionserver.maintenance.Flushes;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import dev.cairn.server.regionserver.maintenance.MemStorePressure;
import dev.cairn.server.regionserver.maintenance.StorageRetries;
import dev.cairn.server.rpc.ManualClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** Tests that a table whose hooks hold up its flushes leaves memory to other tables. */
class HeldFlushesTest {
  private static final TableName HELD = TableName.parse("held");
  private static final int LIMIT = 1_000;

  private final ManualClock clock = new ManualClock();
  private final OnlineRegions regions =
      new OnlineRegions(new ServerName("localhost", 16020, 1), clock);
  private final Deque<Runnable> work = new ArrayDeque<>();
  private final Deque<Runnable> hookedWork = new ArrayDeque<>();
  private boolean isHeld = true;
  private final HookedWork hooked =
      new HookedWork() {
        @Override
        public Executor threads(Kind kind, TableName table) {
          return hookedWork::add;
        }

        @Override
        public boolean isHeld(Kind kind, TableName table) {
          return isHeld && kind == Kind.FLUSH && table.equals(HELD);
        }
      };
  private final Compactions compactions =
      new Compactions(work::add, work::add, hooked, clock, true, region -> false);
  private final Flushes flushes =
      new Flushes(
          work::add,
          hooked,
          region -> false,
          compactions,
          new BlockingStoreFiles(clock, 90_000, compactions),
          new StorageRetries(clock),
          failure -> {});
  private final MemStorePressure pressure =
      new MemStorePressure(
          regions,
          flushes,
          new MaintenanceSettings(10_000, LIMIT, 0.95, 90_000, 1, 1, true, 1),
          clock);
  private final FakeRegion held = new FakeRegion("a");
  private final FakeRegion other = new FakeRegion("b");

  HeldFlushesTest() {
    RegionInfo info = new RegionInfo(HELD, Bytes.utf8("a"), Bytes.EMPTY, 7);
    open(
        new HostedRegion(
            info,
            FakeRegion.SCHEMA,
            held,
            held,
            held.maintenance()
                .hookedIn(new HookedTable(HELD, new HandlerShares(clock), List.of()))));
    open(other.hosted());
  }

  private void open(HostedRegion region) {
    regions.beginOpening(region.info());
    regions.opened(region);
  }

  private MemStoreRoom roomOf(TableName table) {
    return pressure.ofHooked(table);
  }

  @Test
  void otherMemstoresAreFlushedAsIfTheLimitWereLower() {
    held.memStoreBytes = 600;
    other.memStoreBytes = 300;
    pressure.check();
    assertThat(work).isEmpty();
    other.memStoreBytes = 390; // of 400
    pressure.check();
    assertThat(work).hasSize(1);
    work.remove().run();
    assertThat(other.flushes).isEqualTo(1);
    assertThat(hookedWork).isEmpty();
  }

  @Test
  void writesToTheTableAreRefusedFromHalfOfTheMemory() throws RegionBusyException {
    held.memStoreBytes = 500;
    pressure.check();
    roomOf(HELD).reserve(1);
    held.memStoreBytes = 501;
    pressure.check();
    assertThatThrownBy(() -> roomOf(HELD).reserve(1))
        .isInstanceOf(RegionBusyException.class)
        .hasMessageContaining("holds up a flush of table held");
    assertThatThrownBy(() -> roomOf(HELD).keep(1)).isInstanceOf(RegionBusyException.class);
    roomOf(FakeRegion.SCHEMA.name()).reserve(1);
    pressure.reserve(1);
    isHeld = false;
    pressure.check();
    assertThatCode(() -> roomOf(HELD).reserve(1)).doesNotThrowAnyException();
  }

  @Test
  void aLargeMemstoreOfTheTableIsFlushedOnThreadsOfItsOwn() {
    isHeld = false;
    held.memStoreBytes = 990;
    pressure.check();
    assertThat(work).isEmpty();
    assertThat(hookedWork).hasSize(1);
  }
}
