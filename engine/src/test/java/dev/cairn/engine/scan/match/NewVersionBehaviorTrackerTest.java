package dev.cairn.engine.scan.match;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.time.Effort;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random writes to one column, judged in the order of the cells, against a store that obeys each
 * write at once. A failure names its seed.
 */
@Tag("forms")
class NewVersionBehaviorTrackerTest {
  private static final CellType[] MARKERS = {
    CellType.DELETE, CellType.DELETE_COLUMN, CellType.DELETE_FAMILY, CellType.DELETE_FAMILY_VERSION
  };

  @Test
  void whatIsVisibleIsWhatObeyingEachWriteLeaves() {
    for (long seed = 1; seed <= Effort.rounds(300, 100_000); seed++) {
      Random random = new Random(seed);
      int maxVersions = 1 + random.nextInt(random.nextBoolean() ? 3 : 30);
      List<Cell> writes = writes(random, 1 + random.nextInt(200));
      assertThat(judged(writes, maxVersions))
          .as("seed %d", seed)
          .isEqualTo(obeyed(writes, maxVersions));
    }
  }

  @Test
  void manyVersionsThatAreEachDeletedAreNotComparedWithEachOther() {
    // Each is deleted after the next one is written. What is quadratic here takes minutes.
    int versions = 50_000;
    List<Cell> writes = new ArrayList<>();
    for (int i = 0; i < versions; i++) {
      writes.add(cell(i + 1, CellType.PUT, 3L * i + 1));
      writes.add(cell(i + 1, CellType.DELETE, 3L * i + 5));
    }
    assertThat(judged(writes, 2)).isEmpty();
  }

  private static List<Cell> writes(Random random, int count) {
    int timestamps = 1 + random.nextInt(60);
    int puts = 40 + random.nextInt(60);
    List<Cell> writes = new ArrayList<>();
    for (int sequence = 1; sequence <= count; sequence++) {
      boolean isPut = random.nextInt(100) < puts;
      CellType type = isPut ? CellType.PUT : MARKERS[random.nextInt(MARKERS.length)];
      writes.add(cell(1 + random.nextInt(timestamps), type, sequence));
    }
    return writes;
  }

  private static Cell cell(long timestamp, CellType type, long sequence) {
    boolean ofFamily = type == CellType.DELETE_FAMILY || type == CellType.DELETE_FAMILY_VERSION;
    CellBuffer buffer = new CellBuffer();
    buffer.add(
        Bytes.utf8("r"),
        Bytes.utf8("f"),
        ofFamily ? Bytes.EMPTY : Bytes.utf8("q"),
        timestamp,
        type.code(),
        Bytes.EMPTY,
        Bytes.EMPTY);
    Cell cell = new Cell();
    buffer.get(0, cell, sequence);
    return cell;
  }

  private static List<Long> judged(List<Cell> writes, int maxVersions) {
    List<Cell> sorted = new ArrayList<>(writes);
    sorted.sort(CellComparator.USER::compare);
    NewVersionBehaviorTracker deletes = new NewVersionBehaviorTracker(maxVersions);
    deletes.startRow();
    List<Long> visible = new ArrayList<>();
    boolean inColumn = false;
    for (Cell cell : sorted) {
      if (!inColumn && cell.qualifierLength() > 0) {
        inColumn = true;
        deletes.startColumn();
      }
      if (cell.isDelete()) {
        deletes.add(cell);
      } else if (deletes.check(cell) == DeleteTracker.Verdict.VISIBLE) {
        visible.add(cell.sequence());
      }
    }
    return visible;
  }

  private static List<Long> obeyed(List<Cell> writes, int maxVersions) {
    TreeMap<Long, Long> versions = new TreeMap<>(Comparator.reverseOrder());
    for (Cell write : writes) {
      switch (CellType.of(write.typeCode())) {
        case DELETE, DELETE_FAMILY_VERSION -> versions.remove(write.timestamp());
        case DELETE_COLUMN, DELETE_FAMILY -> versions.tailMap(write.timestamp(), true).clear();
        default -> {
          versions.put(write.timestamp(), write.sequence());
          if (versions.size() > maxVersions) {
            versions.pollLastEntry();
          }
        }
      }
    }
    return List.copyOf(versions.values());
  }
}
