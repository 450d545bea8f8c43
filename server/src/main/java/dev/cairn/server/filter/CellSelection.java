package dev.cairn.server.filter;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.scan.condition.ValueRanges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A set of cells, by their families, qualifiers and values: a union of boxes, each with a set for
 * every one of the three. Immutable.
 *
 * <p>A union of too many boxes is replaced by a larger set, so the number of boxes is at most
 * {@value #BOXES_MAX}.
 */
final class CellSelection {
  /** All cells. */
  static final CellSelection ALL = of(ValueRanges.ALL, ValueRanges.ALL, ValueRanges.ALL);

  private static final int BOXES_MAX = 64;

  private final List<Box> boxes;

  /** The cells with a family, a qualifier and a value of these sets. */
  private record Box(ValueRanges families, ValueRanges qualifiers, ValueRanges values) {
    boolean isEmpty() {
      return families.isEmpty() || qualifiers.isEmpty() || values.isEmpty();
    }

    Box and(Box other) {
      return new Box(
          families.intersection(other.families),
          qualifiers.intersection(other.qualifiers),
          values.intersection(other.values));
    }

    /** Returns this box with all values. */
    Box columns() {
      return new Box(families, qualifiers, ValueRanges.ALL);
    }

    /** Returns the condition that a row has a put in the box. */
    RowCondition condition() {
      List<byte[]> wantedFamilies = families.points().orElse(List.of());
      List<byte[]> wantedQualifiers = qualifiers.points().orElse(List.of());
      long columns = (long) wantedFamilies.size() * wantedQualifiers.size();
      if (columns == 0 || columns > RowCondition.PARTS_MAX) {
        return RowCondition.ANY;
      }
      List<RowCondition> each = new ArrayList<>();
      for (byte[] family : wantedFamilies) {
        for (byte[] qualifier : wantedQualifiers) {
          each.add(RowCondition.column(family, qualifier, values));
        }
      }
      return RowCondition.anyOf(each);
    }
  }

  private CellSelection(List<Box> boxes) {
    this.boxes = boxes;
  }

  /** Returns the cells with a family, a qualifier and a value of these sets. */
  static CellSelection of(ValueRanges families, ValueRanges qualifiers, ValueRanges values) {
    Box box = new Box(families, qualifiers, values);
    return new CellSelection(box.isEmpty() ? List.of() : List.of(box));
  }

  /**
   * Returns the cells of a column.
   *
   * @param family null is empty, as in HBase's filters
   * @param qualifier null is empty
   */
  static CellSelection column(byte[] family, byte[] qualifier, ValueRanges values) {
    return of(
        ValueRanges.of(family == null ? Bytes.EMPTY : family),
        ValueRanges.of(qualifier == null ? Bytes.EMPTY : qualifier),
        values);
  }

  /** Returns the cells of the families and columns that a scan selects. */
  static CellSelection of(ScanRequest request) {
    if (request.families().isEmpty()) {
      return ALL;
    }
    List<CellSelection> families = new ArrayList<>();
    for (Map.Entry<byte[], FamilySelection> family : request.families().entrySet()) {
      ValueRanges qualifiers =
          family.getValue().qualifiers().isEmpty()
              ? ValueRanges.ALL
              : ValueRanges.union(
                  family.getValue().qualifiers().stream().map(ValueRanges::of).toList());
      families.add(of(ValueRanges.of(family.getKey()), qualifiers, ValueRanges.ALL));
    }
    return union(families);
  }

  /** Returns a set that contains the cells of all {@code sets}. */
  static CellSelection union(List<CellSelection> sets) {
    Map<Box, List<ValueRanges>> values = new LinkedHashMap<>();
    for (CellSelection set : sets) {
      for (Box box : set.boxes) {
        values.computeIfAbsent(box.columns(), any -> new ArrayList<>()).add(box.values);
      }
    }
    if (values.size() > BOXES_MAX) {
      return ALL;
    }
    List<Box> united = new ArrayList<>();
    values.forEach(
        (columns, each) ->
            united.add(new Box(columns.families, columns.qualifiers, ValueRanges.union(each))));
    return new CellSelection(List.copyOf(united));
  }

  /** Returns a set of the cells of this set that contains all that are in {@code other}, too. */
  CellSelection and(CellSelection other) {
    if (boxes.size() * other.boxes.size() > BOXES_MAX) {
      return this;
    }
    List<CellSelection> common = new ArrayList<>();
    for (Box mine : boxes) {
      for (Box others : other.boxes) {
        Box both = mine.and(others);
        common.add(of(both.families, both.qualifiers, both.values));
      }
    }
    return union(common);
  }

  /** Returns a condition that each row fulfils that has a put of the set. */
  RowCondition condition() {
    return RowCondition.anyOf(boxes.stream().map(Box::condition).toList());
  }
}
