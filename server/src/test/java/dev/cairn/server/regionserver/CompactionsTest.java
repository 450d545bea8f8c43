package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.region.IndexBuild;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.hooked.HookedWork;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.maintenance.Compactions;
import dev.cairn.server.rpc.LoggedLines;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.ServerTask;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the handling of requests for compactions. */
class CompactionsTest {
  private static final TableSchema TWO_FAMILIES =
      TableSchema.of(FakeRegion.SCHEMA.name(), FamilySchema.of("f"), FamilySchema.of("g"));

  private final Deque<Runnable> small = new ArrayDeque<>();
  private final Deque<Runnable> large = new ArrayDeque<>();
  private final List<String> done = new ArrayList<>();
  private final Compactions compactions =
      new Compactions(small::add, large::add, HookedWork.NONE, Clock.SYSTEM, true, region -> false);
  private final FakeRegion fake = new FakeRegion("a");
  private final Set<String> largeFamilies = new HashSet<>();
  private boolean needed;
  private boolean refers;
  private boolean largeMajor;
  private Runnable duringCompaction = () -> {};
  private Optional<Exception> failure = Optional.empty();

  @RegisterExtension private final LoggedLines log = new LoggedLines(Compactions.class);

  @Test
  void oneFamilyIsCompactedAlone() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    compactions.request(region, Optional.of(Bytes.utf8("f")), true, Optional.empty());
    compactions.request(region, Optional.of(Bytes.utf8("f")), true, Optional.empty());
    compactions.request(region, Optional.of(Bytes.utf8("g")), false, Optional.empty());
    assertThat(compactions.state(region)).contains(true);
    assertThat(waiting()).isEqualTo(2);
    assertThat(compactions.tasks())
        .extracting(ServerTask::getState)
        .containsExactly(ServerTask.State.WAITING, ServerTask.State.WAITING);
    duringCompaction =
        () ->
            assertThat(compactions.tasks())
                .filteredOn(task -> task.getState() == ServerTask.State.RUNNING)
                .extracting(ServerTask::getStatus)
                .containsExactly("Merging store files in a small compaction");
    runAll();
    assertThat(compactions.tasks()).isEmpty();
    assertThat(done).containsExactly("major of f", "minor of g");
    assertThat(compactions.state(region)).isEmpty();
  }

  @Test
  void eachCompactionHasItsRequester() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    Optional<byte[]> family = Optional.of(Bytes.utf8("f"));
    compactions.request(region, family, false, Optional.of("ann"));
    compactions.request(region, family, true, Optional.of("bob"));
    runAll();
    compactions.request(region, true);
    runAll();
    assertThat(done).containsExactly("minor of f for ann", "major of f for bob", "major of f");
  }

  @Test
  void allFamiliesAreCompactedOneByOne() {
    compactions.request(region(TWO_FAMILIES), true);
    assertThat(waiting()).isEqualTo(2);
    runAll();
    assertThat(done).containsExactlyInAnyOrder("major of f", "major of g");
  }

  @Test
  void aLargeCompactionDoesNotDelaySmallOnes() {
    HostedRegion region = region(TWO_FAMILIES);
    largeFamilies.add("f");
    compactions.request(region, false);
    assertThat(compactions.waiting(Compactions.Queue.LONG)).isEqualTo(1);
    assertThat(compactions.waiting(Compactions.Queue.SHORT)).isEqualTo(1);
    duringCompaction =
        () -> {
          duringCompaction = () -> {};
          assertThat(compactions.waiting(Compactions.Queue.LONG)).as("it runs").isZero();
          run(small); // while the large one runs
        };
    run(large);
    assertThat(done).containsExactly("minor of g", "minor of f");
    assertThat(compactions.tasks()).isEmpty();
  }

  @Test
  void aCompactionThatGrowsWhileItWaitsMovesToTheLargeOnes() {
    compactions.request(region(FakeRegion.SCHEMA), false);
    largeFamilies.add("f");
    run(small);
    assertThat(done).isEmpty();
    assertThat(compactions.waiting(Compactions.Queue.LONG)).isEqualTo(1);
    assertThat(compactions.tasks())
        .extracting(ServerTask::getStatus)
        .containsExactly("Waiting for other large compactions");
    largeFamilies.clear();
    run(large);
    assertThat(done).as("it moves once").containsExactly("minor of f");
    assertThat(compactions.tasks()).isEmpty();
  }

  @Test
  void aCompactionThatShrinksWhileItWaitsMovesToTheSmallOnes() {
    largeFamilies.add("f");
    compactions.request(region(FakeRegion.SCHEMA), false);
    largeFamilies.clear();
    run(large);
    assertThat(done).isEmpty();
    run(small);
    assertThat(done).containsExactly("minor of f");
  }

  @Test
  void theMajorCompactionThatFollowsAMinorOneHasItsOwnQueue() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    largeMajor = true;
    compactions.request(region, false);
    compactions.request(region, true);
    run(small);
    assertThat(done).containsExactly("minor of f");
    run(large);
    assertThat(done).containsExactly("minor of f", "major of f");
  }

  @Test
  void aMajorCompactionFollowsTheMinorOneThatWaits() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    compactions.request(region, false);
    compactions.request(region, true);
    runAll();
    assertThat(done).containsExactly("minor of f", "major of f");
  }

  @Test
  void aRegionThatNeedsNoneIsLeftAlone() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    compactions.check(region);
    assertThat(waiting()).isZero();
    needed = true;
    compactions.check(region);
    runAll();
    assertThat(done).containsExactly("minor of f");
  }

  @Test
  void aDaughterIsCompactedOnceItIsOpen() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    needed = true;
    compactions.opened(region);
    assertThat(waiting()).isZero(); // the regular check looks after all other regions
    refers = true;
    compactions.opened(region);
    runAll();
    assertThat(done).containsExactly("minor of f");
  }

  @Test
  void aRegionThatLacksAnIndexIsCompactedOnceItIsOpen() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    needed = true;
    TableIndexes.Index index = new TableIndexes.Index("i", List.of());
    fake.indexBuilds = List.of(new IndexBuild(index, 2, 2));
    compactions.opened(region);
    assertThat(waiting()).isZero();
    fake.indexBuilds = List.of(new IndexBuild(index, 2, 2), new IndexBuild(index, 2, 1));
    compactions.opened(region);
    runAll();
    assertThat(done).containsExactly("minor of f");
  }

  @Test
  void aSiteMayDisableCompactionsUntilTheyAreSwitchedOn() {
    Compactions off =
        new Compactions(
            small::add, large::add, HookedWork.NONE, Clock.SYSTEM, false, region -> false);
    needed = true;
    off.check(region(FakeRegion.SCHEMA));
    assertThat(waiting()).isZero();
    off.enable(true);
    off.check(region(FakeRegion.SCHEMA));
    runAll();
    assertThat(done).containsExactly("minor of f");
  }

  @Test
  void theCompactionsThatWaitInOneQueueCanBeDropped() {
    HostedRegion region = region(TWO_FAMILIES);
    largeFamilies.add("f");
    compactions.request(region, Optional.of(Bytes.utf8("f")), true, Optional.empty());
    compactions.request(region, Optional.of(Bytes.utf8("g")), true, Optional.empty());
    compactions.clear(Set.of(Compactions.Queue.SHORT));
    assertThat(waiting()).isEqualTo(1);
    runAll();
    assertThat(done).containsExactly("major of f");
  }

  @Test
  void aCompactionThatWaitsIsOfTheRegionThatWasOpenedLast() {
    compactions.request(region(FakeRegion.SCHEMA), false);
    done.clear();
    HostedRegion reopened =
        new HostedRegion(
            fake.info,
            FakeRegion.SCHEMA,
            fake,
            fake,
            fake.maintenance(
                fake,
                new Recorded() {
                  @Override
                  public void compact(byte[] family, boolean major, Optional<String> requester) {
                    done.add("reopened");
                  }
                }));
    compactions.request(reopened, false);
    runAll();
    assertThat(done).containsExactly("reopened");
  }

  @Test
  void aDroppedCompactionCanBeRequestedAgain() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    compactions.request(region, true);
    compactions.clear(Set.of(Compactions.Queue.SHORT));
    assertThat(compactions.state(region)).isEmpty();
    compactions.request(region, true);
    runAll();
    assertThat(done).containsExactly("major of f");
    assertThat(compactions.tasks()).isEmpty();
  }

  @Test
  void aMajorCompactionThatFollowsAnotherOneCanBeDroppedAlone() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    largeMajor = true;
    compactions.request(region, false);
    compactions.request(region, true);
    compactions.clear(Set.of(Compactions.Queue.LONG));
    runAll();
    assertThat(done).containsExactly("minor of f");
    done.clear();
    compactions.request(region, false);
    compactions.request(region, true);
    compactions.clear(Set.of(Compactions.Queue.SHORT));
    assertThat(compactions.waiting(Compactions.Queue.LONG)).isEqualTo(1);
    runAll();
    assertThat(done).containsExactly("major of f");
  }

  @Test
  void aRunningCompactionIsNotDropped() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    duringCompaction = () -> compactions.clear(Set.of(Compactions.Queue.values()));
    compactions.request(region, true);
    small.remove().run();
    assertThat(done).containsExactly("major of f");
    assertThat(compactions.tasks()).isEmpty();
  }

  @Test
  void aSmallCompactionDoesNotWaitForALargeOneOfTheSameFamily() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    largeMajor = true;
    List<Integer> tasks = new ArrayList<>();
    duringCompaction =
        () -> {
          duringCompaction = () -> {};
          compactions.request(region, false);
          compactions.request(region, false);
          tasks.add(compactions.tasks().size());
          run(small);
          tasks.add(compactions.tasks().size());
        };
    compactions.request(region, true);
    runAll();
    assertThat(done).containsExactly("minor of f", "major of f");
    assertThat(tasks).containsExactly(2, 1);
    assertThat(compactions.tasks()).isEmpty();
  }

  @Test
  void aSmallCompactionWaitsForAnotherSmallOneAndForALargeOneThatIsNotMajorAndWaits() {
    HostedRegion region = region(FakeRegion.SCHEMA);
    duringCompaction =
        () -> {
          compactions.request(region, false);
          assertThat(compactions.tasks()).hasSize(1);
        };
    compactions.request(region, false);
    runAll();
    assertThat(done).containsExactly("minor of f");
    largeFamilies.add("f");
    compactions.request(region, false);
    largeFamilies.clear();
    compactions.request(region, false);
    assertThat(compactions.tasks()).hasSize(1);
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
    assertThat(waiting()).isZero();
  }

  /** A balancer closes regions at any time. */
  @Test
  void aRegionThatClosesOrIsOpenElsewhereIsNothingToWarnOf() {
    compactAndFail(new RegionClosedException("it is closing"));
    compactAndFail(new FencedException("another owner has taken over"));
    assertThat(log.all()).allMatch(line -> line.startsWith("INFO "));
  }

  @Test
  void aFaultOfTheStorageIsAWarningAndAProgrammingErrorAnError() {
    compactAndFail(new IOException("no DataNode answers"));
    compactAndFail(new IllegalStateException("bug"));
    assertThat(log.all())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("WARN Cannot compact"),
            line -> assertThat(line).startsWith("ERROR Compacting"));
  }

  private void compactAndFail(Exception failure) {
    this.failure = Optional.of(failure);
    compactions.request(region(FakeRegion.SCHEMA), true);
    runAll();
  }

  private HostedRegion region(TableSchema schema) {
    return new HostedRegion(fake.info, schema, fake, fake, fake.maintenance(fake, new Recorded()));
  }

  private int waiting() {
    return compactions.waiting(Compactions.Queue.SHORT)
        + compactions.waiting(Compactions.Queue.LONG);
  }

  private void runAll() {
    while (!small.isEmpty() || !large.isEmpty()) {
      run(small);
      run(large);
    }
  }

  /** Does what a thread of the queue does until it has nothing to do. */
  private static void run(Deque<Runnable> queue) {
    while (!queue.isEmpty()) {
      queue.remove().run();
    }
  }

  private class Recorded extends FakeRegion {
    Recorded() {
      super("a");
    }

    @Override
    public List<byte[]> familiesToCompact() {
      return needed ? List.of(Bytes.utf8("f")) : List.of();
    }

    @Override
    public boolean isLargeCompaction(byte[] family, boolean major) {
      return major && largeMajor || largeFamilies.contains(Bytes.utf8(family));
    }

    @Override
    public boolean hasReferences() {
      return refers;
    }

    @Override
    public void compact(byte[] family, boolean major, Optional<String> requester)
        throws IOException {
      duringCompaction.run();
      if (CompactionsTest.this.failure.isPresent()) {
        if (CompactionsTest.this.failure.get() instanceof IOException known) {
          throw known;
        }
        throw (RuntimeException) CompactionsTest.this.failure.get();
      }
      done.add(
          (major ? "major of " : "minor of ")
              + Bytes.utf8(family)
              + requester.map(name -> " for " + name).orElse(""));
    }
  }
}
