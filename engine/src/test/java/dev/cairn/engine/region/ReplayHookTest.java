package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A hook that sees recovered edits. */
class ReplayHookTest {
  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();
  private final List<String> told = new ArrayList<>();
  private boolean fails;

  ReplayHookTest() throws IOException {
    harness.replayWith(new WithoutSecrets());
  }

  /** Leaves out the row {@code secret}. */
  private final class WithoutSecrets implements ReplayHook {
    @Override
    public void begins(RegionInfo region, List<String> files) throws IOException {
      if (fails) {
        throw new IOException("not now");
      }
      told.add("begins");
      assertThat(files).isNotEmpty().allMatch(file -> file.contains("recovered.edits"));
    }

    @Override
    public Optional<CellBuffer> restores(WalEntry entry) {
      return switch (row(entry)) {
        case "secret" -> Optional.empty();
        case "changed" -> {
          CellBuffer others = new CellBuffer();
          others.add(RegionHarness.putOf("other", RegionHarness.F, "q", 5, "o").cells().get(0));
          yield Optional.of(others);
        }
        default -> Optional.of(entry.cells());
      };
    }

    @Override
    public void restored(WalEntry entry, CellBuffer cells) {
      told.add(row(entry));
    }

    @Override
    public void ends(RegionInfo region, List<String> files) {
      told.add("ends");
    }

    private String row(WalEntry entry) {
      return Bytes.utf8(entry.cells().get(0).row());
    }
  }

  @Test
  void leavesOutEntries_whoseNoncesAndNumbersStayKnown() throws IOException {
    harness.put("a", "q", "v");
    Mutation secret = RegionHarness.putOf("secret", RegionHarness.F, "q", 5, "s");
    RegionHarness.done(harness.write(secret.numbered(new Nonce(1, 2))));
    long last = harness.region().readPoint();
    harness.kill();
    assertThat(harness.dump()).containsExactly("a/f:q=v");
    assertThat(told).containsExactly("begins", "a", "ends");
    assertThat(harness.recovered()).contains(new Nonce(1, 2));
    assertThat(harness.region().readPoint()).isGreaterThanOrEqualTo(last);
    harness.put("secret", "q", "later");
    assertThat(harness.get("secret", "q")).isEqualTo("later");
  }

  @Test
  void restoresOtherCells_thanTheEntrys() throws IOException {
    harness.put("a", "q", "v");
    harness.put("changed", "q", "v");
    harness.kill();
    assertThat(harness.dump()).containsExactly("a/f:q=v", "other/f:q=o");
  }

  @Test
  void isNotAskedIfThereIsNothingToReplay() throws IOException {
    harness.put("a", "q", "v");
    harness.closeCleanly();
    harness.open();
    assertThat(told).isEmpty();
  }

  @Test
  void failsAnOpening_whichCanBeginAgain() throws IOException {
    harness.put("a", "q", "v");
    fails = true;
    assertThatThrownBy(harness::kill).hasMessage("not now");
    fails = false;
    harness.open();
    assertThat(harness.dump()).containsExactly("a/f:q=v");
  }
}
