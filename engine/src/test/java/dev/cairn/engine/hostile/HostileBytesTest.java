package dev.cairn.engine.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.hostile.HostileBytes.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Checks what random tests draw: every shape of key, alone in some runs and mixed in others. */
class HostileBytesTest {
  private static final int RUNS = 300;

  @Test
  void oneSeedMakesOneRun() {
    for (long seed = 0; seed < 20; seed++) {
      assertThat(run(seed)).isEqualTo(run(seed));
    }
  }

  private static List<String> run(long seed) {
    Random random = new Random(seed);
    HostileBytes bytes = HostileBytes.draw(random, 30, 5);
    List<String> all = new ArrayList<>(List.of(bytes.toString()));
    for (int i = 0; i < 50; i++) {
      all.add(Bytes.toStringBinary(bytes.row(random)));
      all.add(Bytes.toStringBinary(bytes.qualifier(random)));
      all.add(Bytes.toStringBinary(bytes.value(random)));
    }
    return all;
  }

  @Test
  void someRunsHaveOneShapeAndOthersAll() {
    Set<Shape> alone = EnumSet.noneOf(Shape.class);
    int most = 0;
    for (long seed = 0; seed < RUNS; seed++) {
      HostileBytes bytes = HostileBytes.draw(new Random(seed));
      if (bytes.shapes().size() == 1) {
        alone.addAll(bytes.shapes());
      }
      most = Math.max(most, bytes.shapes().size());
    }
    assertThat(alone).isEqualTo(EnumSet.complementOf(EnumSet.of(Shape.LONGEST)));
    assertThat(most).isGreaterThanOrEqualTo(5);
  }

  @Test
  void rowsAreValidAndMostDiffer() {
    for (long seed = 0; seed < RUNS; seed++) {
      HostileBytes bytes = HostileBytes.draw(new Random(seed), 1000, 10);
      Set<String> distinct = new TreeSet<>();
      for (int number = 0; number < bytes.rows(); number++) {
        byte[] row = bytes.row(number);
        assertThat(row).hasSizeBetween(1, Cell.MAX_ROW_LENGTH);
        distinct.add(Bytes.toStringBinary(row));
      }
      assertThat(distinct.size()).as(bytes.toString()).isGreaterThan(300);
    }
  }

  @Test
  void boundsAreValid() {
    Random random = new Random(1);
    for (int i = 0; i < RUNS; i++) {
      HostileBytes bytes = HostileBytes.draw(random, 100, 10);
      for (int draw = 0; draw < 100; draw++) {
        assertThat(bytes.bound(random)).hasSizeBetween(1, Cell.MAX_ROW_LENGTH);
      }
    }
  }

  @Test
  void allThatHurtsIsDrawn() {
    Random random = new Random(1);
    boolean extended = false;
    boolean lastByte = false;
    boolean longest = false;
    boolean zero = false;
    boolean border = false;
    boolean emptyQualifier = false;
    boolean emptyValue = false;
    boolean longValue = false;
    for (int i = 0; i < RUNS; i++) {
      HostileBytes bytes = HostileBytes.draw(random, 100, 10);
      byte[] before = bytes.row(random);
      for (int draw = 0; draw < 100; draw++) {
        byte[] row = bytes.row(random);
        int same = Arrays.mismatch(before, row);
        extended |= same == before.length;
        lastByte |= row.length == 300 && same == 299;
        longest |= row.length == Cell.MAX_ROW_LENGTH;
        zero |= row[row.length - 1] == 0;
        border |= row[row.length - 1] == (byte) 0xff;
        emptyQualifier |= bytes.qualifier(random).length == 0;
        byte[] value = bytes.value(random);
        emptyValue |= value.length == 0;
        longValue |= value.length > 1000;
        before = row;
      }
    }
    assertThat(
            List.of(
                extended, lastByte, longest, zero, border, emptyQualifier, emptyValue, longValue))
        .containsOnly(true);
  }
}
