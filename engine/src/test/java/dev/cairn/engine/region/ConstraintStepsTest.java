package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.TWO_FAMILIES;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.constraint.ColumnRules;
import dev.cairn.engine.region.steps.ResolvedMutation;
import dev.cairn.engine.region.steps.SteppedWrite;
import dev.cairn.engine.region.steps.WriteSteps;
import dev.cairn.engine.region.write.ConstraintViolationException;
import dev.cairn.engine.region.write.ExplicitRowLocks;
import dev.cairn.engine.region.write.ExplicitRowLocks.Mode;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.region.write.ResolutionListener;
import dev.cairn.engine.scan.TimeRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Writes in steps are held to the constraints, also in what was added between the steps. */
class ConstraintStepsTest {
  private static final long LATEST = Cell.LATEST_TIMESTAMP;

  @AutoClose
  private final RegionHarness harness =
      new RegionHarness(
          TWO_FAMILIES
              .with(ColumnRules.PREFIX + "f:id", "not null")
              .with(ColumnRules.PREFIX + "f:n", "type long; range ..9"));

  ConstraintStepsTest() throws IOException {
    harness.closeCleanly();
    harness.offerSteps();
    harness.open();
  }

  private static Mutation put(String row, String qualifier, String value) {
    return putOf(row, F, qualifier, LATEST, value);
  }

  private static Mutation increment(String row, long amount) {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8(row),
        F,
        Bytes.utf8("n"),
        LATEST,
        CellType.PUT.code(),
        Bytes.ofLong(amount),
        Bytes.EMPTY);
    return new Mutation(
        Kind.INCREMENT,
        Bytes.utf8(row),
        cells,
        Mutation.Durability.USE_DEFAULT,
        TimeRange.ALL,
        true);
  }

  /** Resolves mutations, adds others, and writes all that are not refused. */
  private List<Optional<IOException>> write(List<Mutation> mutations, List<Mutation> added)
      throws IOException {
    WriteSteps steps = harness.region().steps().orElseThrow();
    List<byte[]> rows = mutations.stream().map(Mutation::row).toList();
    try (SteppedWrite write = steps.begin();
        ExplicitRowLocks.Held held = steps.locks().lockAll(rows, Mode.EXCLUSIVE)) {
      List<ResolvedMutation> resolved = write.resolveEach(mutations, ResolutionListener.NONE);
      List<Mutation> written = new ArrayList<>(added);
      for (ResolvedMutation one : resolved) {
        if (one.refusal().isEmpty()) {
          written.add(one.mutation());
        }
      }
      write.stage(write.assemble(written)).outcome().cells();
      return resolved.stream().map(ResolvedMutation::refusal).toList();
    }
  }

  @Test
  void eachMutationIsCheckedAfterThoseBeforeIt() throws IOException {
    List<Optional<IOException>> refusals =
        write(
            List.of(
                put("a", "x", "1"),
                put("a", "id", "2"),
                put("a", "x", "3"),
                put("b", "n", "x"),
                increment("a", 9),
                increment("b", 1)),
            List.of());
    assertThat(refusals.stream().map(Optional::isPresent))
        .containsExactly(true, false, false, true, false, true);
    assertThat(refusals.get(0).orElseThrow())
        .isInstanceOf(ConstraintViolationException.class)
        .hasMessageContaining("no value of column f:id");
    assertThat(refusals.get(3).orElseThrow()).hasMessageContaining("\"type long\"");
    assertThat(refusals.get(5).orElseThrow()).hasMessageContaining("no value of column f:id");
    refusals =
        write(
            List.of(increment("a", 1), deleteOf("a", F, "id", LATEST, CellType.DELETE_COLUMN)),
            List.of());
    assertThat(refusals.get(0).orElseThrow()).hasMessageContaining("(10) of column f:n");
    assertThat(refusals.get(1).orElseThrow()).hasMessageContaining("the delete leaves no value");
  }

  @Test
  void whatIsAddedBetweenTheStepsIsCheckedWithTheRest() throws IOException {
    Mutation id = put("a", "id", "1");
    assertThatThrownBy(() -> write(List.of(id), List.of(put("a", "n", "x"))))
        .isInstanceOf(ConstraintViolationException.class)
        .hasMessageContaining("\"type long\"");
    assertThat(harness.dump()).isEmpty();
    write(List.of(put("a", "id", "1")), List.of(put("a", "x", "2")));
    Mutation delete = deleteOf("a", F, "id", LATEST - 1, CellType.DELETE_COLUMN);
    assertThatThrownBy(() -> write(List.of(put("a", "y", "1")), List.of(delete)))
        .isInstanceOf(ConstraintViolationException.class)
        .hasMessageContaining("deletes column f:id and leaves no value of it");
    assertThat(harness.dump()).hasSize(2);
  }

  /** As a layer resolves that acts before each increment. */
  @Test
  void eachMutationIsCheckedAfterThoseOfEarlierCalls() throws IOException {
    WriteSteps steps = harness.region().steps().orElseThrow();
    try (SteppedWrite write = steps.begin();
        ExplicitRowLocks.Held held = steps.locks().lock(Bytes.utf8("a"), Mode.EXCLUSIVE)) {
      assertThat(refusal(write, put("a", "x", "1"))).isPresent();
      assertThat(refusal(write, putOf("a", F, "id", 5, "1"))).isEmpty();
      assertThat(refusal(write, put("a", "x", "1"))).isEmpty();
      Mutation id = putOf("a", F, "id", 6, "2");
      assertThat(refusal(write, id)).isEmpty();
      write.stage(write.assemble(List.of(putOf("a", F, "id", 5, "1"), id))).join();
      assertThat(refusal(write, deleteOf("a", F, "id", 5, CellType.DELETE))).isEmpty();
      assertThat(refusal(write, deleteOf("a", F, "id", 6, CellType.DELETE)).orElseThrow())
          .isInstanceOf(ConstraintViolationException.class);
    }
  }

  private static Optional<IOException> refusal(SteppedWrite write, Mutation mutation)
      throws IOException {
    return write.resolveEach(List.of(mutation), ResolutionListener.NONE).get(0).refusal();
  }

  @Test
  void computedValuesThatALayerChangesAreChecked() throws IOException {
    write(List.of(put("a", "id", "1")), List.of());
    WriteSteps steps = harness.region().steps().orElseThrow();
    try (SteppedWrite write = steps.begin();
        ExplicitRowLocks.Held held = steps.locks().lock(Bytes.utf8("a"), Mode.EXCLUSIVE)) {
      Mutation resolved =
          write.resolveEach(List.of(increment("a", 1)), ResolutionListener.NONE).get(0).mutation();
      Mutation changed = resolved.withCells(increment("a", 77).cells());
      assertThatThrownBy(() -> write.assemble(List.of(changed)))
          .isInstanceOf(ConstraintViolationException.class)
          .hasMessageContaining("(77) of column f:n");
      write.stage(write.assemble(List.of(resolved))).join();
    }
  }
}
