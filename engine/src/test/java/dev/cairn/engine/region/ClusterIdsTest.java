package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.file.ClusterIds;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.WalReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The log tells which clusters a change has come through. */
class ClusterIdsTest {
  private static final UUID FIRST = new UUID(1, -2);
  private static final UUID SECOND = new UUID(-3, 4);

  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();

  ClusterIdsTest() throws IOException {} // as making a region does

  @Test
  void theLogHasTheIdsOfAMutation() throws IOException {
    RegionHarness.done(harness.mutate(List.of(from("a", List.of(FIRST, SECOND)))));
    harness.put("b", "q", "v");
    harness.rollLog();
    assertThat(entries()).containsExactly("a " + List.of(FIRST, SECOND), "b []");
  }

  @Test
  void eachMutationOfABatchKeepsItsIds() throws IOException {
    List<MutationOutcome> outcomes =
        harness.mutate(
            List.of(
                putOf("a", F, "q", 1, "v"),
                putOf("b", F, "q", 1, "v"),
                from("c", List.of(FIRST)),
                from("d", List.of(FIRST)),
                withAttribute("e", new byte[3]),
                from("f", List.of(FIRST)),
                from("g", List.of(SECOND, FIRST)),
                putOf("h", F, "q", 1, "v"),
                from("i", List.of(FIRST))));
    assertThat(outcomes.get(4)).isInstanceOf(MutationOutcome.Refused.class);
    assertThat(outcomes).hasSize(9).filteredOn(MutationOutcome.Done.class::isInstance).hasSize(8);
    assertThat(harness.dump()).hasSize(8);
    harness.rollLog();
    assertThat(entries())
        .containsExactly(
            "ab []",
            "cdf " + List.of(FIRST),
            "g " + List.of(SECOND, FIRST),
            "h []",
            "i " + List.of(FIRST));
  }

  @Test
  void aMalformedAttributeIsRefused() throws IOException {
    Mutation mutation = withAttribute("r", new byte[] {0, 0, 0, 1, 7});
    assertThatThrownBy(() -> RegionHarness.done(harness.mutate(List.of(mutation))))
        .isInstanceOf(InvalidMutationException.class)
        .hasMessageContaining("_cs.id");
    assertThat(harness.dump()).isEmpty();
  }

  @Test
  void moreIdsThanAKeyOfTheLogShouldHaveAreRefused() throws IOException {
    List<UUID> ids = Collections.nCopies(ClusterIds.COUNT_MAX + 1, FIRST);
    assertThatThrownBy(() -> RegionHarness.done(harness.mutate(List.of(from("r", ids)))))
        .isInstanceOf(InvalidMutationException.class)
        .hasMessageContaining("at most 100");
    RegionHarness.done(harness.mutate(List.of(from("r", ids.subList(1, ids.size())))));
    assertThat(harness.get("r", "q")).isEqualTo("v");
  }

  @Test
  void oneMalformedMutationOfABatchIsRefusedAlone() throws IOException {
    List<MutationOutcome> outcomes =
        harness.mutate(List.of(putOf("a", F, "q", 1, "1"), withAttribute("b", new byte[3])));
    assertThat(outcomes.get(0)).isInstanceOf(MutationOutcome.Done.class);
    assertThat(outcomes.get(1)).isInstanceOf(MutationOutcome.Refused.class);
    assertThat(harness.dump()).containsExactly("a/f:q=1");
  }

  private static Mutation from(String row, List<UUID> ids) {
    return withAttribute(row, ClusterIds.attribute(ids));
  }

  private static Mutation withAttribute(String row, byte[] value) {
    Mutation put = putOf(row, F, "q", 1, "v");
    return new Mutation(
        put.kind(),
        put.row(),
        put.cells(),
        put.durability(),
        TimeRange.ALL,
        false,
        Nonce.NONE,
        Map.of(ClusterIds.ATTRIBUTE, value));
  }

  /** Returns the rows and the ids of each entry in the log files. */
  private List<String> entries() throws IOException {
    Storage storage = harness.memory();
    List<String> all = new ArrayList<>();
    for (String directory : List.of("oldWALs", "WALs/server-1")) {
      for (Storage.FileInfo file : storage.list(directory)) {
        try (WalReader reader = WalReader.open(storage, file.path())) {
          while (reader.next()) {
            StringBuilder rows = new StringBuilder();
            for (int i = 0; i < reader.entry().cells().size(); i++) {
              rows.append(Bytes.utf8(reader.entry().cells().get(i).row()));
            }
            all.add(rows + " " + reader.entry().clusterIds());
          }
        }
      }
    }
    return all;
  }
}
