package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.ThroughputController;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compactions that give files an index fail, are stopped, and are held up. */
class IndexBuildTest {
  private static final TableSchema PLAIN =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));
  private static final TableSchema INDEXED = PLAIN.with("cairn.index.i", "f:a");

  private static final int CELLS = 50;

  private final Counted counted = new Counted();
  private RegionHarness harness;
  private boolean failing;

  @BeforeEach
  void writeFileWithoutIndex() throws IOException {
    harness = new RegionHarness(PLAIN);
    harness.closeCleanly();
    harness.failWith((operation, path) -> failing && operation == StorageOperation.CREATE);
    harness.paceWith(new StoreContext.Paces(ThroughputController.UNLIMITED, counted));
    harness.open();
    for (int i = 0; i < CELLS; i++) {
      harness.put("r" + i, "a", "value" + i % 7);
    }
    harness.region().flush();
  }

  @AfterEach
  void close() throws IOException {
    harness.close();
  }

  private Store store() {
    return harness.region().stores().get(0);
  }

  private IndexBuild build() {
    List<IndexBuild> builds = harness.region().indexBuilds();
    assertThat(builds).hasSize(1);
    return builds.get(0);
  }

  private boolean compact(boolean major) throws IOException {
    return store().compact(major, Optional.empty(), Long.MAX_VALUE);
  }

  private void failToBuild() {
    failing = true;
    assertThat(store().needsCompaction()).isTrue();
    assertThatThrownBy(() -> compact(false)).isInstanceOf(IOException.class);
    failing = false;
  }

  @Test
  void aBuildThatFailsIsTriedAgainAfterAPauseThatGrows() throws IOException {
    harness.alter(INDEXED);
    assertThat(build().problem()).isEmpty();
    for (int seconds = 10; seconds <= 40; seconds *= 2) {
      failToBuild();
      assertThat(store().needsCompaction()).isFalse();
      assertThat(compact(false)).isFalse();
      harness.clock.advance((seconds - 1) * 1_000L);
      assertThat(store().needsCompaction()).isFalse();
      assertThat(build().problem().orElseThrow())
          .contains("the next one in ", "IOException")
          .doesNotContain("\n");
      harness.clock.advance(1_000);
    }
    assertThat(compact(false)).isTrue();
    assertThat(build()).isEqualTo(new IndexBuild(build().index(), 1, 1));
  }

  @Test
  void aBuildThatWaitsHoldsUpNoOtherCompaction() throws IOException {
    harness.alter(INDEXED);
    failToBuild();
    assertThat(compact(true)).isTrue(); // on request
    assertThat(build()).isEqualTo(new IndexBuild(build().index(), 1, 1));
  }

  @Test
  void aBuildIsStoppedWhileItWritesTheIndex() throws IOException {
    harness.alter(INDEXED);
    List<StoreFile> before = store().view().files();
    counted.action = () -> store().stopCompactions();
    assertThat(compact(false)).isFalse();
    assertThat(counted.calls).isEqualTo(CELLS + 1); // after the first block of the index
    assertThat(store().view().files()).isEqualTo(before);
    assertThat(temporaryFiles(harness.directory())).isEmpty();
    assertThat(build().problem()).isEmpty();

    counted.action = () -> {};
    store().resumeCompactions();
    assertThat(compact(false)).isTrue();
    // The index has a chunk and a root, and its values a chunk of their Bloom filter and a block.
    assertThat(counted.calls).isEqualTo(2 * CELLS + 5);
    assertThat(build().isComplete()).isTrue();
  }

  /** Returns the files of a region that are not in the directory of a family. */
  private List<String> temporaryFiles(String directory) throws IOException {
    return harness.memory().list(Storage.join(directory, ".tmp")).stream()
        .flatMap(
            entry -> {
              try {
                return harness.memory().list(entry.path()).stream();
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            })
        .map(Storage.FileInfo::name)
        .toList();
  }

  /** Counts what compactions write, and acts after the cells. */
  private static final class Counted implements ThroughputController {
    private int calls;
    private Runnable action = () -> {};

    @Override
    public void watch(DoubleSupplier pressure) {}

    @Override
    public void forget(DoubleSupplier pressure) {}

    @Override
    public Run begin() {
      return new Run() {
        @Override
        public void wrote(int bytes, BooleanSupplier hurry) {
          calls++;
          if (calls > CELLS) {
            action.run();
          }
        }

        @Override
        public void close() {}
      };
    }
  }
}
