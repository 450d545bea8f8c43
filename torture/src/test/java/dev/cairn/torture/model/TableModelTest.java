package dev.cairn.torture.model;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.torture.model.TableModel.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests that the model allows every possible answer, and no other. */
class TableModelTest {
  private static final String ROW = "row";
  private static final long NOW = 1_700_000_000_000L;

  private final TableModel table =
      new TableModel(
          TableSchema.of(TableName.parse("t"), FamilySchema.of("a", Map.of("VERSIONS", "1"))));

  @Test
  void anUndecidedWriteMayBeSeenLaterAlthoughAnotherOfItsBatchWasRefused() {
    put("text", new Outcome.Acknowledged(List.of()), NOW);
    put("more", new Outcome.Unknown(), NOW + 1);
    table.write(List.of(change(Mutation.Kind.INCREMENT, one())), new Outcome.Impossible(), NOW + 1);
    see("text", NOW + 1);
    assertThatCode(() -> see("more", NOW + 2)).doesNotThrowAnyException();
  }

  @Test
  void aRefusalMayBeOwedToAnUndecidedWriteThatIsLostAfterwards() {
    put(one(), new Outcome.Acknowledged(List.of()), NOW);
    put("text", new Outcome.Unknown(), NOW + 1);
    table.write(List.of(change(Mutation.Kind.INCREMENT, one())), new Outcome.Impossible(), NOW + 1);
    table.crashed();
    assertThatCode(() -> see(one(), NOW + 2)).doesNotThrowAnyException();
  }

  @Test
  void nothingIsRefusedWithoutAReason() {
    put(one(), new Outcome.Acknowledged(List.of()), NOW);
    assertThatThrownBy(
            () ->
                table.write(
                    List.of(change(Mutation.Kind.INCREMENT, one())),
                    new Outcome.Impossible(),
                    NOW + 1))
        .isInstanceOf(Difference.class);
  }

  @Test
  void anUndecidedWriteThatWasNotThereWhenAllWasDecidedDoesNotComeLater() {
    put("text", new Outcome.Acknowledged(List.of()), NOW);
    put("more", new Outcome.Unknown(), NOW + 1);
    table.decided();
    see("text", NOW + 1);
    assertThatThrownBy(() -> see("more", NOW + 2)).isInstanceOf(Difference.class);
  }

  @Test
  void aCompactionDoesNotSpareWhatAWriteInMemoryHides() {
    putAt(NOW, "older", Mutation.Durability.SYNC_WAL);
    putAt(NOW + 1, "newer", Mutation.Durability.SYNC_WAL);
    table.filed("", "", family -> true);
    putAt(NOW, "unlogged", Mutation.Durability.SKIP_WAL);
    // VERSIONS is 1, and the compaction does not know of what is in memory.
    settle(true, found(NOW + 1, "newer"), found(NOW, "unlogged"));
    table.crashed();
    assertThatCode(() -> settle(false, found(NOW + 1, "newer"))).doesNotThrowAnyException();
  }

  @Test
  void withoutACompactionAllThatWasFiledIsThere() {
    putAt(NOW, "older", Mutation.Durability.SYNC_WAL);
    putAt(NOW + 1, "newer", Mutation.Durability.SYNC_WAL);
    table.filed("", "", family -> true);
    putAt(NOW, "unlogged", Mutation.Durability.SKIP_WAL);
    settle(false, found(NOW + 1, "newer"), found(NOW, "unlogged"));
    table.crashed();
    assertThatThrownBy(() -> settle(false, found(NOW + 1, "newer"))).isInstanceOf(Difference.class);
  }

  @Test
  void anInterruptedCompactionHasNotSeenTheCellsThatTheNextOpeningFlushes() {
    deleteTheNewerPut();
    table.crashed();
    table.filedLate("", "");
    // VERSIONS is 1, and the compaction did not know of the marker in memory.
    assertThatCode(() -> settle(true, marker(), found(NOW + 1, "newer")))
        .doesNotThrowAnyException();
  }

  @Test
  void aCompactionSeesCellsThatWereFlushedBefore() {
    deleteTheNewerPut();
    table.filed("", "", family -> true);
    assertThatThrownBy(() -> settle(true, marker(), found(NOW + 1, "newer")))
        .isInstanceOf(Difference.class);
  }

  private void deleteTheNewerPut() {
    putAt(NOW, "older", Mutation.Durability.SYNC_WAL);
    putAt(NOW + 1, "newer", Mutation.Durability.SYNC_WAL);
    table.filed("", "", family -> true);
    table.write(
        List.of(
            new Change(
                Mutation.Kind.DELETE,
                ROW,
                List.of(new Change.Part("a", "q", NOW + 1, CellType.DELETE, "", List.of())),
                Mutation.Durability.SYNC_WAL,
                TimeRange.ALL,
                false)),
        new Outcome.Acknowledged(List.of()),
        NOW + 1);
  }

  private static Version marker() {
    return Version.of("a", "q", NOW + 1, CellType.DELETE, "", List.of());
  }

  private void putAt(long timestamp, String value, Mutation.Durability durability) {
    table.write(
        List.of(change(Mutation.Kind.PUT, timestamp, value, durability)),
        new Outcome.Acknowledged(List.of()),
        NOW + 1);
  }

  private void settle(boolean compacted, Version... found) {
    table.settle("", "", Map.of(ROW, List.of(found)), family -> compacted, NOW + 2);
  }

  private void put(String value, Outcome outcome, long now) {
    table.write(List.of(change(Mutation.Kind.PUT, value)), outcome, now);
  }

  private void see(String value, long now) {
    // Undecided puts come a millisecond after the first.
    long timestamp = value.equals("more") ? NOW + 1 : NOW;
    table.check(
        Query.ALL_VERSIONS, Map.of(ROW, List.of(found(timestamp, value))), Optional.empty(), now);
  }

  private static Version found(long timestamp, String value) {
    return new Version(
        "a",
        "q",
        timestamp,
        CellType.PUT,
        value,
        List.of(),
        0,
        new Unit(0, Fate.SAFE, ""),
        false,
        false);
  }

  private static String one() {
    return "\0\0\0\0\0\0\0\1";
  }

  private static Change change(Mutation.Kind kind, String value) {
    return change(kind, Cell.LATEST_TIMESTAMP, value, Mutation.Durability.SYNC_WAL);
  }

  private static Change change(
      Mutation.Kind kind, long timestamp, String value, Mutation.Durability durability) {
    return new Change(
        kind,
        ROW,
        List.of(new Change.Part("a", "q", timestamp, CellType.PUT, value, List.of())),
        durability,
        TimeRange.ALL,
        false);
  }
}
