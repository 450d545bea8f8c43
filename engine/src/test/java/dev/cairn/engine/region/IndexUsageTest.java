package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.condition.ValueRanges;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A region counts the scans that use its indexes, and knows the size of the indexes. */
class IndexUsageTest {
  private static final byte[] A = Bytes.utf8("a");

  private final TableSchema schema =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f", Map.of()))
          .with("cairn.index.i", "f:a")
          .with("cairn.index.j", "f:b");
  private RegionHarness harness;

  @AfterEach
  void close() throws IOException {
    harness.close();
  }

  private static ScanRequest wanted(byte[] column, String value) {
    return ScanRequest.builder()
        .filter(new ValuedRows(F, column, ValueRanges.of(Bytes.utf8(value)), true))
        .build();
  }

  private IndexUsage usage(String name) {
    return harness.region().indexUsage().stream()
        .filter(one -> one.index().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void scansThatUseAnIndexAreCountedUntilTheRegionIsOpenedAgain() throws IOException {
    harness = new RegionHarness(schema);
    harness.put("r", "a", "1");
    harness.dump(ScanRequest.builder().build());
    harness.dump(wanted(Bytes.utf8("c"), "1")); // has no index
    assertThat(usage("i").uses()).isZero();
    harness.dump(wanted(A, "1"));
    harness.dump(wanted(A, "2"));
    assertThat(usage("i").uses()).isEqualTo(2);
    assertThat(usage("j").uses()).isZero();

    long opened = usage("i").openedMillis();
    harness.closeCleanly();
    harness.open();
    assertThat(usage("i").uses()).isZero();
    assertThat(usage("i").openedMillis()).isGreaterThanOrEqualTo(opened).isPositive();
  }

  @Test
  void theSizeIsThatOfTheEntriesInFiles() throws IOException {
    harness = new RegionHarness(schema);
    for (int i = 0; i < 100; i++) {
      harness.put("row" + i, "a", "value" + i);
    }
    assertThat(usage("i").bytes()).isZero();
    harness.region().flush();
    long once = usage("i").bytes();
    assertThat(once).isBetween(500L, 5_000L);
    assertThat(usage("j").bytes()).isZero();
    for (int i = 0; i < 100; i++) {
      harness.put("other" + i, "a", "value" + i);
    }
    harness.region().flush();
    assertThat(usage("i").bytes()).isGreaterThan(once);
  }
}
