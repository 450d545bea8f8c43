package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.FlushScope;
import dev.cairn.engine.region.RegionStatistics;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerTask;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** What becomes of requests for compactions. */
class CompactionsTest {
  private final Deque<Runnable> work = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();
  private final Compactions compactions =
      new Compactions(work::add, Clock.SYSTEM, true, region -> false);
  private final FakeRegion fake = new FakeRegion("a");
  private boolean needed;
  private boolean refers;
  private Runnable duringCompaction = () -> {};

  @Test
  void oneFamilyIsCompactedAlone() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    compactions.request(region, Optional.of(Bytes.utf8("f")), true);
    compactions.request(region, Optional.of(Bytes.utf8("f")), true);
    compactions.request(region, Optional.of(Bytes.utf8("g")), false);
    assertThat(compactions.state(region)).contains(true);
    assertThat(compactions.pending()).isEqualTo(2);
    assertThat(compactions.tasks())
        .extracting(ServerTask::getState)
        .containsExactly(ServerTask.State.WAITING, ServerTask.State.WAITING);
    duringCompaction =
        () ->
            assertThat(compactions.tasks())
                .extracting(ServerTask::getState)
                .contains(ServerTask.State.RUNNING);
    runAll();
    assertThat(compactions.tasks()).isEmpty();
    assertThat(done).containsExactly("major of f", "minor of g");
    assertThat(compactions.state(region)).isEmpty();
  }

  @Test
  void aMajorCompactionFollowsTheMinorOneThatWaits() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    compactions.request(region, false);
    compactions.request(region, true);
    runAll();
    assertThat(done).containsExactly("minor of all", "major of all");
  }

  @Test
  void aRegionThatNeedsNoneIsLeftAlone() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    compactions.check(region);
    assertThat(work).isEmpty();
    needed = true;
    compactions.check(region);
    runAll();
    assertThat(done).containsExactly("minor of all");
  }

  @Test
  void aDaughterIsCompactedOnceItIsOpen() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    needed = true;
    compactions.opened(region);
    assertThat(work).isEmpty(); // the regular check looks after all other regions
    refers = true;
    compactions.opened(region);
    runAll();
    assertThat(done).containsExactly("minor of all");
  }

  @Test
  void aSiteMayDisableCompactionsUntilTheyAreSwitchedOn() {
    Compactions off = new Compactions(work::add, Clock.SYSTEM, false, region -> false);
    needed = true;
    off.check(region(FakeRegion.SCHEMA));
    assertThat(work).isEmpty();
    off.enable(true);
    off.check(region(FakeRegion.SCHEMA));
    runAll();
    assertThat(done).containsExactly("minor of all");
  }

  @Test
  void waitingCompactionsOfOneKindCanBeDropped() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    compactions.request(region, Optional.of(Bytes.utf8("f")), true);
    compactions.request(region, Optional.of(Bytes.utf8("g")), false);
    compactions.clear(Set.of(Compactions.Queue.SHORT));
    assertThat(compactions.pending()).isEqualTo(1);
    runAll();
    assertThat(done).containsExactly("major of f");
  }

  @Test
  void aDroppedCompactionCanBeRequestedAgain() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    compactions.request(region, true);
    compactions.clear(Set.of(Compactions.Queue.LONG));
    assertThat(compactions.state(region)).isEmpty();
    compactions.request(region, true);
    runAll();
    assertThat(done).containsExactly("major of all");
    assertThat(compactions.pending()).isZero();
  }

  @Test
  void aMajorCompactionThatFollowsAnotherOneCanBeDroppedAlone() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    compactions.request(region, false);
    compactions.request(region, true);
    compactions.clear(Set.of(Compactions.Queue.LONG));
    runAll();
    assertThat(done).containsExactly("minor of all");
    done.clear();
    compactions.request(region, false);
    compactions.request(region, true);
    compactions.clear(Set.of(Compactions.Queue.SHORT));
    runAll();
    assertThat(done).containsExactly("major of all");
  }

  @Test
  void aRunningCompactionIsNotDropped() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    duringCompaction = () -> compactions.clear(Set.of(Compactions.Queue.values()));
    compactions.request(region, true);
    work.remove().run();
    assertThat(done).containsExactly("major of all");
    assertThat(compactions.pending()).isZero();
  }

  @Test
  void aTableMayTurnItsCompactionsOff() {
    TableSchema off =
        new TableSchema(
            FakeRegion.SCHEMA.message().toBuilder()
                .addAttributes(
                    BytesBytesPair.newBuilder()
                        .setFirst(ByteString.copyFromUtf8("COMPACTION_ENABLED"))
                        .setSecond(ByteString.copyFromUtf8("false")))
                .build());
    needed = true;
    compactions.check(region(off));
    compactions.request(region(off), true);
    assertThat(work).isEmpty();
  }

  private HostedRegion region(TableSchema schema) {
    return new HostedRegion(fake.info, schema, fake, fake, new Recorded());
  }

  private void runAll() {
    while (!work.isEmpty()) {
      work.remove().run();
    }
  }

  private final class Recorded implements RegionMaintenance {
    @Override
    public boolean flush(FlushScope scope) {
      return false;
    }

    @Override
    public boolean needsCompaction() {
      return needed;
    }

    @Override
    public boolean hasReferences() {
      return refers;
    }

    @Override
    public void compact(Optional<byte[]> family, boolean major) {
      duringCompaction.run();
      done.add((major ? "major of " : "minor of ") + family.map(Bytes::utf8).orElse("all"));
    }

    @Override
    public void close(boolean abort) {}

    @Override
    public RegionStatistics statistics() {
      return fake.statistics();
    }
  }
}
