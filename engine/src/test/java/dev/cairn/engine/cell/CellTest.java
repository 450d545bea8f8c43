package dev.cairn.engine.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class CellTest {
  private static final byte[] TAGS = {0, 2, 1, 7};

  @Test
  void showsThePartsItWasMadeOf() {
    Cell cell =
        Cell.of(
            Bytes.utf8("row"),
            Bytes.utf8("fam"),
            Bytes.utf8("qualifier"),
            42,
            CellType.PUT.code(),
            Bytes.utf8("value"),
            TAGS,
            7);

    assertThat(cell.row()).isEqualTo(Bytes.utf8("row"));
    assertThat(cell.family()).isEqualTo(Bytes.utf8("fam"));
    assertThat(cell.qualifier()).isEqualTo(Bytes.utf8("qualifier"));
    assertThat(cell.timestamp()).isEqualTo(42);
    assertThat(cell.typeCode()).isEqualTo(CellType.PUT.code());
    assertThat(cell.value()).isEqualTo(Bytes.utf8("value"));
    assertThat(cell.tags()).isEqualTo(TAGS);
    assertThat(cell.sequence()).isEqualTo(7);
    assertThat(cell).hasToString("row/fam:qualifier/42/Put/vlen=5/seqid=7");
  }

  @Test
  void aCopyDoesNotFollowTheFlyweight() {
    Cell first = Cell.put(Bytes.utf8("a"), Bytes.utf8("f"), Bytes.EMPTY, 1, Bytes.EMPTY);
    Cell second = Cell.put(Bytes.utf8("b"), Bytes.utf8("f"), Bytes.EMPTY, 1, Bytes.EMPTY);
    Cell flyweight = new Cell();
    flyweight.set(first);
    Cell copy = flyweight.copy();
    flyweight.set(second);

    assertThat(copy.row()).isEqualTo(Bytes.utf8("a"));
    assertThat(flyweight.row()).isEqualTo(Bytes.utf8("b"));
  }

  @Test
  void tagsAreLeftOutWhereTheyAreNotWanted() {
    Cell cell = Cell.of(new byte[1], new byte[1], Bytes.EMPTY, 1, 4, new byte[3], TAGS, 0);
    byte[] plain = new byte[cell.serializedLength(false)];
    cell.writeTo(plain, 0, false);
    Cell read = new Cell();
    read.set(plain, 0, plain.length, 0);

    assertThat(read.tagsLength()).isZero();
    assertThat(read.value()).isEqualTo(new byte[3]);
    assertThat(cell.serializedLength(true)).isEqualTo(plain.length + 2 + TAGS.length);
  }

  @Test
  void partsThatTheLayoutCannotHoldAreRefused() {
    assertThatThrownBy(() -> Cell.put(new byte[32768], new byte[1], Bytes.EMPTY, 1, Bytes.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("32768");
    assertThatThrownBy(() -> Cell.put(new byte[1], new byte[128], Bytes.EMPTY, 1, Bytes.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("128");
  }

  @Test
  void aDamagedCellNeverPassesTheCheckAndReachesOutside() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Cell cell = Cell.of(new byte[5], new byte[2], new byte[4], 1, 4, new byte[6], TAGS, 0);
    byte[] whole = new byte[cell.serializedLength(true)];
    cell.writeTo(whole, 0, true);
    CellFormat.check(whole, 0, whole.length);
    for (int round = 0; round < 10_000; round++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        CellFormat.check(damaged, 0, damaged.length);
      } catch (IllegalArgumentException e) {
        continue;
      }
      Cell read = new Cell();
      read.set(damaged, 0, damaged.length, 0);
      assertThat(read.qualifierLength()).as("seed %d", seed).isNotNegative();
      assertThat(read.row().length + read.family().length + read.qualifier().length)
          .isEqualTo(read.keyLength() - Cell.KEY_OVERHEAD);
      read.value();
      read.tags();
    }
  }
}
