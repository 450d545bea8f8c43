package dev.cairn.studies.list;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import dev.cairn.testing.CairnExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values that are gone leave something behind, and something takes it away. */
class GarbageTest {
  private static final String USER = "user";
  private static final int KEPT = 10;
  private static final int GONE = 30;

  @RegisterExtension static final CairnExtension CAIRN = new CairnExtension();

  private ListDesign created;

  private TableName store(ListDesign design) throws IOException {
    created = design;
    for (NewTable table : design.tables(KEPT + GONE)) {
      table.create(CAIRN.admin());
    }
    for (long value = 0; value < KEPT + GONE; value++) {
      var kind = value < KEPT ? Change.Kind.ADD : Change.Kind.ADD_FOR_A_WHILE;
      design.change(CAIRN.connection(), new Change(USER, value, kind, value));
    }
    TableName table = design.tables(KEPT + GONE).get(0).descriptor().getTableName();
    CAIRN.admin().flush(table);
    for (long value = KEPT; value < KEPT + GONE; value++) {
      long time = KEPT + GONE + value;
      design.change(CAIRN.connection(), new Change(USER, value, Change.Kind.REMOVE, time));
    }
    CAIRN.admin().flush(table);
    assertThat(design.latest(CAIRN.connection(), USER, Integer.MAX_VALUE)).hasSize(KEPT);
    return table;
  }

  @AfterEach
  void drop() throws IOException {
    for (NewTable table : created.tables(KEPT + GONE)) {
      table.drop(CAIRN.admin());
    }
  }

  /** Returns the cells and markers of a table that have not been dropped yet. */
  private static List<Cell> stored(TableName table) throws IOException {
    Scan scan = new Scan().setRaw(true).readAllVersions();
    return Scans.list(CAIRN.connection(), table, scan, Result::listCells).stream()
        .flatMap(List::stream)
        .toList();
  }

  private static void compactTo(TableName table, int cells) throws IOException {
    CAIRN.admin().flush(table);
    CAIRN.admin().majorCompact(table);
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(stored(table)).hasSize(cells));
  }

  @Test
  void deletedValuesAndTheirMarkersStayUntilTheMajorCompaction() throws IOException {
    TableName table = store(RowForValue.withDeletes());
    assertThat(stored(table)).hasSize(KEPT + 2 * GONE);
    compactTo(table, KEPT);
  }

  @ParameterizedTest
  @EnumSource(names = {"FAMILY_TTL", "CELL_TTL"})
  void expiredValuesLeaveNoMarkers(RowForValue.Removal removal) throws IOException {
    TableName table = store(new RowForValue(removal));
    assertThat(stored(table)).hasSizeLessThanOrEqualTo(KEPT + GONE);
    compactTo(table, KEPT);
  }

  @Test
  void anAppendedCellKeepsRemovedValuesUntilItIsWrittenAgain() throws IOException {
    ListDesign design = new AppendedCell();
    TableName table = store(design);
    compactTo(table, 1);
    assertThat(stored(table).get(0).getValueLength()).isEqualTo((KEPT + 2 * GONE) * Long.BYTES);
    design.maintain(CAIRN.connection());
    compactTo(table, 1);
    assertThat(stored(table).get(0).getValueLength()).isEqualTo(KEPT * Long.BYTES);
  }
}
