package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.ConstraintViolationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.PutBatch;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.regionserver.hosted.ReferencedRows;
import dev.cairn.server.regionserver.hosted.ReferencedWrites;
import dev.cairn.server.regionserver.hosted.RegionParts;
import dev.cairn.server.regionserver.hosted.RegionWrites;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Puts with references wait for the other table, and for nothing else. */
class ReferencedWritesTest {
  private static final byte[] F = Bytes.utf8("f");

  private final List<String> asked = new ArrayList<>();
  private final List<WriteRequest> written = new ArrayList<>();
  private final RegionWrites writes = layered(schema("reference 'customers'"));

  private static TableSchema schema(String rules) {
    return TableSchema.of(TableName.parse("t"), FamilySchema.of("f"))
        .with("cairn.constraint.f:a", rules)
        .with("cairn.constraint.f:b", rules);
  }

  /** Returns the writes of a region below the layer; the other table has the row "ann". */
  private RegionWrites layered(TableSchema schema) {
    RegionWrites region =
        (request, budget) -> {
          written.add(request);
          int outcomes = request instanceof WriteRequest.Batch ? request.mutationCount() : 1;
          return PendingWrite.of(
              Collections.nCopies(outcomes, new MutationOutcome.Done(new CellBuffer())));
        };
    ReferencedRows others =
        (table, rows) -> {
          TreeSet<byte[]> missing = new TreeSet<>(Arrays::compareUnsigned);
          missing.addAll(rows);
          missing.remove(Bytes.utf8("ann"));
          asked.add(table + " " + rows.stream().map(Bytes::utf8).toList());
          return missing;
        };
    RegionInfo info = new RegionInfo(schema.name(), Bytes.EMPTY, Bytes.EMPTY, 1);
    return ReferencedWrites.layer(others)
        .over(info, schema, new RegionParts(null, region, null))
        .writes();
  }

  private static Mutation put(String row, String... columns) {
    CellBuffer cells = new CellBuffer();
    for (String column : columns) {
      String[] parts = column.split("=", -1);
      cells.add(
          Bytes.utf8(row),
          F,
          Bytes.utf8(parts[0]),
          Cell.LATEST_TIMESTAMP,
          CellType.PUT.code(),
          Bytes.utf8(parts[1]),
          Bytes.EMPTY);
    }
    return Mutation.put(Bytes.utf8(row), cells);
  }

  @Test
  void aTableWithoutReferencesHasNoLayer() throws IOException {
    assertThat(layered(schema("length ..3"))).isNotInstanceOf(ReferencedWrites.class);
    assertThat(writes).isInstanceOf(ReferencedWrites.class);
  }

  @Test
  void aNetworkThreadDoesNotAsk() throws IOException {
    assertThat(writes.write(put("r", "a=ann"), WriteBudget.AT_ONCE).isBegun()).isFalse();
    assertThat(asked).isEmpty();
    assertThat(written).isEmpty();
  }

  @Test
  void writesWithoutAValueThatRefersPassAtOnce() throws IOException {
    Mutation delete = Mutation.delete(Bytes.utf8("r"), new CellBuffer());
    for (Mutation mutation : List.of(put("r", "other=x"), put("r", "a="), delete)) {
      assertThat(writes.write(mutation, WriteBudget.AT_ONCE).isBegun()).isTrue();
    }
    assertThat(asked).isEmpty();
    assertThat(written).hasSize(3);
  }

  @Test
  void allValuesOfARequestAreAskedForOnce() throws IOException {
    WriteRequest batch =
        new WriteRequest.Batch(
            List.of(
                put("r", "a=ann", "b=bob"), put("s", "b=ann"), put("t", "c=x"), put("u", "a=cid")));
    List<MutationOutcome> outcomes = writes.write(batch, WriteBudget.UNLIMITED).join();
    assertThat(asked).containsExactly("customers [ann, bob, cid]");
    assertThat(outcomes.get(1)).isInstanceOf(MutationOutcome.Done.class);
    assertThat(outcomes.get(2)).isInstanceOf(MutationOutcome.Done.class);
    assertThatThrownBy(() -> outcomes.get(0).cells())
        .isInstanceOf(ConstraintViolationException.class)
        .hasMessage(
            "Row 'r' of table t: the value 'bob' of column f:b breaks the rule \"reference"
                + " 'customers'\": the table has no such row");
    assertThatThrownBy(() -> outcomes.get(3).cells())
        .isInstanceOf(ConstraintViolationException.class)
        .hasMessageContaining("'cid' of column f:a");
    assertThat(written).hasSize(1);
    assertThat(written.get(0).mutationCount()).isEqualTo(2);
  }

  @Test
  void aGroupAndABatchOfPutsAreRefusedAsAWhole() {
    WriteRequest group = new WriteRequest.Atomic(List.of(put("r", "a=ann"), put("s", "a=bob")));
    Mutation bad = put("r", "a=bob");
    WriteRequest puts = new PutBatch(bad.cells(), new int[] {1}, Durability.USE_DEFAULT);
    for (WriteRequest request : List.of(group, puts)) {
      assertThatThrownBy(() -> writes.write(request, WriteBudget.UNLIMITED))
          .isInstanceOf(ConstraintViolationException.class)
          .hasMessageContaining("the value 'bob'");
    }
    assertThat(written).isEmpty();
  }
}
