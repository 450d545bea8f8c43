package dev.cairn.engine.region;

import static dev.cairn.engine.scan.ReadBudget.WHOLE_ROWS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TestFilter;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A read of one row keeps files open only from the moment when it needs one. */
class LatePinTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(
          TableName.parse("t"),
          FamilySchema.of("f", Map.of("BLOCKSIZE", "16", "BLOOMFILTER", "NONE")));
  private static final ScanRequest ROW = ScanRequest.row(Bytes.utf8("b")).build();

  private final CellBuffer out = new CellBuffer();
  private RegionHarness harness;

  /** Makes two files, of which nothing but what every read needs is in the cache. */
  @BeforeEach
  void open() throws IOException {
    harness = new RegionHarness(SCHEMA);
    for (String file : new String[] {"old", "new"}) {
      for (String row : new String[] {"a", "b", "c"}) {
        harness.put(row, "q", row + " " + file);
      }
      harness.region().flush();
    }
    harness.alter(SCHEMA);
    harness.get("a", "q");
    assertThat(harness.openFiles()).isEqualTo(2);
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void startsOverIfItsFilesWereReplacedBeforeItNeededThem() throws IOException {
    harness.put("a", "q", "already there");
    try (RegionRead read = harness.region().read(ROW, WHOLE_ROWS)) {
      out.add(Cell.put(Bytes.utf8("x"), Bytes.utf8("f"), Bytes.EMPTY, 1, Bytes.EMPTY));
      harness.put("b", "q", "later");
      harness.region().flush();
      harness.region().compact(true);
      assertThat(harness.openFiles()).as("the former ones are closed").isOne();
      assertThat(read.next(out, WHOLE_ROWS)).isEqualTo(ScanProgress.ROW_DONE);
      assertThat(out.size()).as("what was there stays").isEqualTo(2);
      assertThat(Bytes.utf8(out.get(1).value())).isEqualTo("later");
      assertThat(read.next(out, WHOLE_ROWS)).isEqualTo(ScanProgress.END);
    }
    harness.region().close(false); // nobody is inside
  }

  @Test
  void keepsItsFilesOnceItHasNeededOne() throws IOException {
    try (RegionRead read = harness.region().read(ROW, WHOLE_ROWS)) {
      assertThat(read.next(out, WHOLE_ROWS)).isEqualTo(ScanProgress.ROW_DONE);
      harness.region().compact(true);
      assertThat(harness.openFiles()).isEqualTo(3);
    }
    assertThat(harness.openFiles()).isOne();
    assertThat(Bytes.utf8(out.get(0).value())).isEqualTo("b new");
  }

  @Test
  void keepsNothingIfAllIsInMemory() throws IOException {
    harness.get("b", "q");
    try (RegionRead read = harness.region().read(ROW, WHOLE_ROWS)) {
      assertThat(read.next(out, WHOLE_ROWS)).isEqualTo(ScanProgress.ROW_DONE);
      harness.region().compact(true);
      assertThat(harness.openFiles()).isOne();
    }
    assertThat(Bytes.utf8(out.get(0).value())).isEqualTo("b new");
  }

  @Test
  void keepsItsFilesFromTheBeginningIfAFilterWouldSeeCellsTwice() throws IOException {
    ScanRequest filtered = ROW.toBuilder().filter(new TestFilter()).build();
    try (RegionRead read = harness.region().read(filtered, WHOLE_ROWS)) {
      harness.region().compact(true);
      assertThat(harness.openFiles()).isEqualTo(3);
      assertThat(read.next(out, WHOLE_ROWS)).isEqualTo(ScanProgress.ROW_DONE);
    }
    assertThat(harness.openFiles()).isOne();
    assertThat(out.size()).isOne();
  }
}
