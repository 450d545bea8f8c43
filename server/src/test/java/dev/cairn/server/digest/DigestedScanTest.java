package dev.cairn.server.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanStatistics;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.junit.jupiter.api.Test;

/** The digests of rows that a read returns whole, in parts, or late. */
class DigestedScanTest {
  private static final DigestOptions HASHES = new DigestOptions(1000, true, false);

  /** Returns one step after the other, and then the end. */
  private static final class Steps implements RegionRead {
    private record Step(ScanProgress progress, List<Cell> cells) {}

    private final List<Step> steps = new ArrayList<>();

    Steps then(ScanProgress progress, Cell... cells) {
      steps.add(new Step(progress, List.of(cells)));
      return this;
    }

    Steps row(Cell... cells) {
      return then(ScanProgress.ROW_DONE, cells);
    }

    @Override
    public ScanProgress next(CellBuffer out, ReadBudget budget) {
      if (steps.isEmpty()) {
        return ScanProgress.END;
      }
      Step step = steps.remove(0);
      step.cells().forEach(out::add);
      return step.progress();
    }

    @Override
    public ScanProgress peek(ReadBudget budget) {
      return steps.isEmpty() ? ScanProgress.END : ScanProgress.ROW_DONE;
    }

    @Override
    public long readPoint() {
      return 1;
    }

    @Override
    public ScanStatistics statistics() {
      return ScanStatistics.NONE;
    }

    @Override
    public void close() {
      steps.clear();
    }
  }

  private static Cell cell(String row, String column, byte[] value) {
    return Cell.put(Bytes.utf8(row), Bytes.utf8("f"), Bytes.utf8(column), 1, value);
  }

  private static Cell cell(String row, String column) {
    return cell(row, column, Bytes.utf8("v"));
  }

  /** Returns what a scan returns: rows with their digests, and the states between as they are. */
  private static List<Object> answer(Steps rows, DigestOptions options) throws IOException {
    List<Object> all = new ArrayList<>();
    try (DigestedScan scan = new DigestedScan(rows, options)) {
      CellBuffer out = new CellBuffer();
      for (ScanProgress progress = scan.next(out, ReadBudget.WHOLE_ROWS);
          progress != ScanProgress.END;
          progress = scan.next(out, ReadBudget.WHOLE_ROWS)) {
        if (progress == ScanProgress.ROW_DONE) {
          Cell cell = out.get(out.size() - 1);
          all.add(Bytes.toStringBinary(cell.row()));
          all.add(RangeDigest.parse(cell.value()));
        } else {
          all.add(progress);
        }
      }
    }
    return all;
  }

  private static RangeDigest digest(Steps rows) throws IOException {
    return (RangeDigest) answer(rows, HASHES).get(1);
  }

  @Test
  void aDigestCountsRowsAndCellsUnderTheLastRow() throws IOException {
    Steps rows =
        new Steps()
            .row(cell("a", "1"), cell("a", "2"))
            .row()
            .row(cell("c", "1"))
            .row(cell("d", "1"));
    assertThat(answer(rows, new DigestOptions(2, false, false)))
        .containsExactly(
            "c",
            new RangeDigest(2, 3, 0, 0, BigInteger.ZERO),
            "d",
            new RangeDigest(1, 1, 0, 0, BigInteger.ZERO));
    assertThat(answer(new Steps().row(), HASHES)).isEmpty();
  }

  @Test
  void theDigestOfARangeIsTheSumOfItsParts() throws IOException {
    RangeDigest whole = digest(new Steps().row(cell("a", "1")).row(cell("b", "1")));
    RangeDigest first = digest(new Steps().row(cell("a", "1")));
    RangeDigest second = digest(new Steps().row(cell("b", "1")));
    assertThat(first.plus(second)).isEqualTo(whole);
    assertThat(RangeDigest.NONE.plus(whole)).isEqualTo(whole);
  }

  @Test
  void rowsThatDifferHaveOtherHashes() throws IOException {
    RangeDigest one = digest(new Steps().row(cell("a", "1"), cell("a", "2")));
    assertThat(digest(new Steps().row(cell("a", "1"), cell("a", "2")))).isEqualTo(one);
    assertThat(digest(new Steps().row(cell("a", "1"), cell("a", "3")))).isNotEqualTo(one);
    assertThat(digest(new Steps().row(cell("a", "1"), cell("a", "2", Bytes.utf8("w")))))
        .isNotEqualTo(one);
  }

  @Test
  void aRowInPartsHasTheDigestOfTheWholeRow() throws IOException {
    RangeDigest whole = digest(new Steps().row(cell("a", "1"), cell("a", "2")));
    assertThat(
            digest(new Steps().then(ScanProgress.LIMIT_IN_ROW, cell("a", "1")).row(cell("a", "2"))))
        .isEqualTo(whole);
    assertThat(digest(new Steps().then(ScanProgress.LIMIT_IN_ROW, cell("a", "1"), cell("a", "2"))))
        .isEqualTo(whole);
  }

  @Test
  void aCallWithoutTimeReturnsTheRowsThatAreComplete() throws IOException {
    Steps rows =
        new Steps()
            .row(cell("a", "1"))
            .then(ScanProgress.TIME_IN_ROW, cell("b", "1"))
            .then(ScanProgress.LIMIT_BETWEEN_ROWS)
            .row(cell("b", "2"));
    assertThat(answer(rows, HASHES))
        .containsExactly(
            "a",
            digest(new Steps().row(cell("a", "1"))),
            ScanProgress.LIMIT_BETWEEN_ROWS,
            "b",
            digest(new Steps().row(cell("b", "1"), cell("b", "2"))));
  }

  @Test
  void countersAreAddedUpBeyondTheRangeOfALong() throws IOException {
    byte[] most = Bytes.ofLong(Long.MAX_VALUE);
    Steps rows = new Steps().row(cell("a", "1", most)).row(cell("b", "1", most));
    RangeDigest digest = (RangeDigest) answer(rows, new DigestOptions(9, false, true)).get(1);
    assertThat(digest.sum()).isEqualTo(BigInteger.valueOf(Long.MAX_VALUE).multiply(BigInteger.TWO));
    assertThatThrownBy(
            () -> answer(new Steps().row(cell("a", "1")), new DigestOptions(9, false, true)))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("row a has a value of 1 bytes");
  }

  @Test
  void theAttributeIsReadAsItIsWritten() throws IOException {
    for (DigestOptions options :
        List.of(HASHES, new DigestOptions(1, false, false), new DigestOptions(7, true, true))) {
      assertThat(DigestOptions.parse(options.toBytes())).isEqualTo(options);
    }
    for (String wrong : List.of("", "rows=0", "rows=x", "hash", "rows=1,more")) {
      assertThatThrownBy(() -> DigestOptions.parse(Bytes.utf8(wrong)))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("must be like rows=1000,hash,sum");
    }
  }
}
