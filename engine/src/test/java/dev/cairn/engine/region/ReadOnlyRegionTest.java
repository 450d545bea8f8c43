package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.store.Store;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A region is read beside its owner, over a storage that refuses every change. */
class ReadOnlyRegionTest {
  private static final Set<StorageOperation> HARMLESS =
      EnumSet.of(
          StorageOperation.OPEN,
          StorageOperation.LIST,
          StorageOperation.EXISTS,
          StorageOperation.READ);

  private final List<String> changes = Collections.synchronizedList(new ArrayList<>());
  private RegionHarness owner;

  private void begin(String tracker) throws IOException {
    Map<String, String> attributes =
        Map.of("hbase.store.file-tracker.impl", tracker, "VERSIONS", "3");
    owner =
        new RegionHarness(
            TableSchema.of(
                TableName.parse("t"),
                FamilySchema.of("f", attributes),
                FamilySchema.of("g", attributes)));
  }

  @AfterEach
  void close() throws IOException {
    owner.close();
    assertThat(changes).as("attempts to change the storage").isEmpty();
    assertThat(owner.openFiles()).isZero();
  }

  private RegionOpening read() throws IOException {
    return owner.readReplica(
        (operation, path) -> {
          if (HARMLESS.contains(operation)) {
            return false;
          }
          changes.add(operation + " " + path);
          return true;
        });
  }

  private ReadOnlyRegion follow() throws IOException {
    try (RegionOpening opening = read()) {
      return opening.follow();
    }
  }

  private static List<String> dump(ReadOnlyRegion replica) throws IOException {
    try (RegionRead read = scan(replica)) {
      return rest(read);
    }
  }

  /** Opens a scan that may stay idle. */
  private static RegionRead scan(ReadOnlyRegion replica) throws IOException {
    return replica.read(
        ScanRequest.builder().build(), new ReadBudget(-1, -1, Long.MAX_VALUE, true));
  }

  private static List<String> rest(RegionRead read) throws IOException {
    List<String> cells = new ArrayList<>();
    TableHarness.read(read, cells);
    return cells;
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void seesWhatTheOwnerHasFlushedOnceItIsRefreshed(String tracker) throws IOException {
    begin(tracker);
    owner.put("a", "q", "1");
    owner.region().flush();
    owner.put("b", "q", "1");
    try (ReadOnlyRegion replica = follow()) {
      assertThat(replica.info().replicaId()).isEqualTo(1);
      assertThat(dump(replica)).hasSize(1);
      assertThat(replica.refresh()).isFalse();
      owner.region().flush();
      assertThat(dump(replica)).hasSize(1);
      assertThat(replica.refresh()).isTrue();
      assertThat(dump(replica)).hasSize(2);
      assertThat(replica.readPoint()).isEqualTo(owner.region().readPoint());
      assertThat(replica.refresh()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void aReadGoesOnInTheFilesThatTheOwnerHasMerged(String tracker) throws IOException {
    begin(tracker);
    for (int i = 0; i < 4; i++) {
      owner.put("a" + i, "q", "1");
      owner.put("x", "q", "version " + i);
      owner.region().flush();
    }
    try (ReadOnlyRegion replica = follow()) {
      List<String> before = dump(replica);
      try (RegionRead read = scan(replica)) {
        owner.put("x", "q", "last");
        owner.region().flush();
        owner.region().compact(true);
        assertThat(dump(replica)).as("before the refresh").isEqualTo(before);
        assertThat(replica.refresh()).isTrue();
        assertThat(rest(read)).isEqualTo(before);
      }
      assertThat(dump(replica)).hasSize(5).isNotEqualTo(before);
      assertThat(replica.stores()).first().returns(1, store -> store.view().files().size());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void everyScanIsCompleteWhileTheOwnerWritesFlushesAndCompacts(String tracker) throws Exception {
    begin(tracker);
    Random random = new Random(7);
    AtomicBoolean ended = new AtomicBoolean();
    try (ReadOnlyRegion replica = follow()) {
      CompletableFuture<Integer> reads =
          CompletableFuture.supplyAsync(() -> readUntil(ended, replica));
      for (int row = 0; row < 400 && !reads.isDone(); row++) {
        owner.put("%04d".formatted(row), "q", "1");
        owner.put("overwritten", "q", "" + row);
        if (random.nextInt(5) == 0) {
          owner.region().flush();
        }
        if (random.nextInt(20) == 0) {
          owner.region().compact(random.nextBoolean());
        }
      }
      owner.region().flush();
      ended.set(true);
      assertThat(reads.get()).isPositive();
      replica.refresh();
      assertThat(dump(replica)).hasSize(401);
    }
  }

  /** Reads again and again; each scan has all rows up to some row, in order. */
  private static int readUntil(AtomicBoolean ended, ReadOnlyRegion replica) {
    int scans = 0;
    int rows = 0;
    try {
      while (!ended.get()) {
        replica.refresh();
        List<String> cells = dump(replica);
        int found = Math.max(0, cells.size() - 1); // without the overwritten row
        assertThat(found).as("rows never go").isGreaterThanOrEqualTo(rows);
        assertThat(IntStream.range(0, found))
            .allMatch(row -> cells.get(row).startsWith("%04d/".formatted(row)));
        rows = found;
        scans++;
      }
      return scans;
    } catch (IOException e) {
      throw new AssertionError("The replica cannot be read", e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void recoveredEditsWaitForTheOwner(String tracker) throws IOException {
    begin(tracker);
    owner.put("a", "q", "1");
    owner.region().flush();
    owner.put("b", "q", "1");
    owner.readElsewhere().close(); // splits the log
    List<String> files = files();
    try (ReadOnlyRegion replica = follow()) {
      assertThat(dump(replica)).hasSize(1);
      assertThat(files()).isEqualTo(files).anyMatch(path -> path.contains("recovered.edits"));
      try (RegionHarness.Elsewhere next = owner.openElsewhere()) {
        next.region().flush();
        assertThat(replica.refresh()).isTrue();
        assertThat(dump(replica)).hasSize(2);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void aReplicaOwnsNothing(String tracker) throws IOException {
    begin(tracker);
    owner.put("a", "q", "1");
    owner.region().flush();
    owner.put("a", "q", "2");
    owner.region().flush();
    try (RegionOpening opening = read()) {
      assertThatThrownBy(() -> opening.begin(Optional.empty()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is a replica");
    }
    try (ReadOnlyRegion replica = follow()) {
      Store store = replica.stores().get(0);
      assertThatThrownBy(() -> store.compact(true, Optional.empty(), replica.readPoint()))
          .isInstanceOf(IOException.class);
      assertThat(dump(replica)).hasSize(1);
    }
    changes.clear(); // the attempt to compact
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void aClosedReplicaRefusesReads(String tracker) throws IOException {
    begin(tracker);
    ReadOnlyRegion replica = follow();
    replica.close();
    replica.close();
    assertThatThrownBy(() -> dump(replica)).isInstanceOf(RegionClosedException.class);
    assertThatThrownBy(replica::refresh).isInstanceOf(RegionClosedException.class);
  }

  private List<String> files() throws IOException {
    List<String> paths = new ArrayList<>();
    list(owner.directory(), paths);
    return paths;
  }

  private void list(String directory, List<String> paths) throws IOException {
    for (var file : owner.memory().list(directory)) {
      paths.add(file.path());
      if (file.directory()) {
        list(file.path(), paths);
      }
    }
  }
}
