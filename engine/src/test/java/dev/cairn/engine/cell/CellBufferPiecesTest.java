package dev.cairn.engine.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Buffers whose cells lie in several arrays. */
class CellBufferPiecesTest {
  private static final int PIECE = 200;

  @Test
  void cellsOfManyPiecesAreTheSameAsInAList() {
    long seed = Long.getLong("cairn.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      new Model(random, "seed " + seed + ", round " + round).run();
    }
  }

  @Test
  void noPieceIsLongerThanTheBoundUnlessItsOnlyCellIs() {
    CellBuffer cells = new CellBuffer(0, 0, PIECE);
    for (int valueLength : new int[] {10, 120, 20, 3 * PIECE, 10, 10, 190, 0}) {
      cells.add(cell(valueLength));
    }
    assertThat(cells.pieces()).isGreaterThan(3);
    for (int piece = 0; piece < cells.pieces(); piece++) {
      int length = cells.piece(piece).length;
      assertThat(length <= PIECE || length == cells.pieceSize(piece)).isTrue();
    }
  }

  @Test
  void aPieceThatIsFullStaysWhereItIs() {
    CellBuffer cells = new CellBuffer(0, 0, PIECE);
    while (cells.pieces() == 1) {
      cells.add(cell(10));
    }
    byte[] first = cells.piece(0);
    Cell view = cells.get(0);
    for (int i = 0; i < 100; i++) {
      cells.add(cell(10));
    }
    assertThat(cells.piece(0)).isSameAs(first);
    assertThat(view.bytes()).isSameAs(first);
    cells.clear();
    assertThat(cells.pieces()).isOne();
    assertThat(cells.piece(0)).isSameAs(first);
  }

  @Test
  void largeAnswersTakeArraysOfFourMegabytesAtMost() {
    CellBuffer cells = new CellBuffer();
    for (int i = 0; i < 300_000; i++) {
      cells.add(cell(50));
    }
    assertThat(cells.blockSize()).isGreaterThan(16 << 20);
    for (int piece = 0; piece < cells.pieces(); piece++) {
      assertThat(cells.piece(piece).length).isLessThanOrEqualTo(4 << 20);
    }
    assertThat(cells.capacity()).isLessThan(cells.blockSize() + (8L << 20));
  }

  @Test
  void growthIsAskedForBeforeEachPieceAndARefusalChangesNothing() {
    CellBuffer cells = new CellBuffer(0, 0, PIECE);
    CellBuffer source = new CellBuffer();
    for (int i = 0; i < 50; i++) {
      source.add(cell(i));
    }
    long[] asked = {0};
    cells.watch(
        capacity -> {
          assertThat(capacity).isGreaterThan(cells.capacity());
          if (capacity > 5 * PIECE) {
            throw new IllegalStateException("full");
          }
          asked[0] = capacity;
        });
    cells.add(cell(7));
    assertThatThrownBy(() -> cells.addAll(source)).isInstanceOf(IllegalStateException.class);
    assertThat(asked[0]).isGreaterThan(PIECE);
    assertThat(cells.size()).isOne();
    assertThat(cells.get(0).valueLength()).isEqualTo(7);
    cells.watch(null);
    cells.addAll(source);
    assertThat(cells.size()).isEqualTo(51);
    assertThat(cells.get(50).valueLength()).isEqualTo(49);
  }

  @Test
  void aBlockOfAnyLengthIsOnePiece() {
    CellBuffer cells = new CellBuffer(0, 0, 6 << 20);
    while (cells.blockSize() < 5 << 20) {
      cells.add(cell(100));
    }
    byte[] block = Arrays.copyOf(cells.piece(0), cells.blockSize());
    CellBuffer read = CellBuffer.ofBlock(block);
    assertThat(read.pieces()).isOne();
    assertThat(read.piece(0)).isSameAs(block);
    read.add(cell(1));
    assertThat(read.pieces()).isEqualTo(2);
    assertThat(read.get(read.size() - 1).valueLength()).isOne();
  }

  private static Cell cell(int valueLength) {
    return Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.utf8("q"), 1, new byte[valueLength]);
  }

  /** Applies the same random changes to a buffer and to a list, and compares them. */
  private static final class Model {
    private final Random random;
    private final String name;
    private final List<Cell> expected = new ArrayList<>();
    private CellBuffer actual;

    Model(Random random, String name) {
      this.random = random;
      this.name = name;
      this.actual = empty();
    }

    void run() {
      for (int step = 0; step < 40; step++) {
        change();
        compare();
      }
    }

    private CellBuffer empty() {
      return new CellBuffer(random.nextInt(300), random.nextInt(4), 1 + random.nextInt(2 * PIECE));
    }

    private void change() {
      switch (random.nextInt(14)) {
        case 0, 1 -> addOne();
        case 2 -> addMany(10 + random.nextInt(30));
        case 3 -> addParts();
        case 4 -> addKeyValue();
        case 5, 6 -> addBlock();
        case 7, 8 -> addBuffer();
        case 9 -> truncate(random.nextInt(expected.size() + 1));
        case 10 -> truncate(Math.max(0, expected.size() - random.nextInt(4)));
        case 11 -> actual.expect(random.nextInt(3 * PIECE), random.nextInt(20));
        case 12 -> stamp();
        default -> replace();
      }
    }

    private Cell next() {
      int longest = random.nextInt(10) == 0 ? 3 * PIECE : 60;
      byte[] value = new byte[random.nextInt(longest)];
      random.nextBytes(value);
      byte[] row = Bytes.ofInt(random.nextInt());
      byte[] qualifier = new byte[random.nextInt(5)];
      int type = random.nextInt(10) == 0 ? CellType.DELETE.code() : CellType.PUT.code();
      byte[] tags = random.nextInt(5) == 0 ? new byte[] {0, 2, 7, 9} : Bytes.EMPTY;
      return Cell.of(row, Bytes.utf8("f"), qualifier, random.nextInt(5), type, value, tags, 0);
    }

    private void addOne() {
      Cell cell = next();
      actual.add(cell);
      expected.add(cell);
    }

    private void addMany(int count) {
      for (int i = 0; i < count; i++) {
        addOne();
      }
    }

    private void addParts() {
      Cell cell = next();
      actual.add(
          cell.row(),
          cell.family(),
          cell.qualifier(),
          cell.timestamp(),
          cell.typeCode(),
          cell.value(),
          cell.tags());
      expected.add(cell);
      assertThatThrownBy(
              () ->
                  actual.add(
                      cell.row(), new byte[200], cell.qualifier(), 1, 4, cell.value(), Bytes.EMPTY))
          .isInstanceOf(IllegalArgumentException.class);
    }

    private void addKeyValue() {
      Cell cell = next();
      byte[] bytes = serialized(cell);
      actual.add(bytes, 0, bytes.length);
      expected.add(cell);
    }

    /** As cells lie in a block of a file, each with something behind it. */
    private void addBlock() {
      int count = 1 + random.nextInt(20);
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      int[] offsets = new int[count + 1];
      List<Cell> cells = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Cell cell = next();
        cell =
            Cell.of(
                cell.row(),
                cell.family(),
                cell.qualifier(),
                cell.timestamp(),
                cell.typeCode(),
                cell.value(),
                Bytes.EMPTY,
                0);
        cells.add(cell);
        block.writeBytes(serialized(cell));
        block.writeBytes(new byte[random.nextInt(3)]);
        offsets[i + 1] = block.size();
      }
      int from = random.nextInt(count);
      int to = from + random.nextInt(count - from + 1);
      actual.addAll(block.toByteArray(), offsets, from, to);
      expected.addAll(cells.subList(from, to));
    }

    private void addBuffer() {
      if (random.nextInt(5) == 0) {
        int from = random.nextInt(expected.size() + 1);
        int to = from + random.nextInt(Math.min(20, expected.size() - from) + 1);
        actual.addAll(actual, from, to);
        expected.addAll(List.copyOf(expected.subList(from, to)));
        return;
      }
      Model other = new Model(random, name);
      other.addMany(random.nextInt(20));
      int from = random.nextInt(other.expected.size() + 1);
      int to = from + random.nextInt(other.expected.size() - from + 1);
      actual.addAll(other.actual, from, to);
      expected.addAll(other.expected.subList(from, to));
    }

    private void truncate(int size) {
      actual.truncate(size);
      expected.subList(size, expected.size()).clear();
      if (size == 0) {
        actual.clear();
      }
    }

    private void stamp() {
      if (!expected.isEmpty()) {
        int i = random.nextInt(expected.size());
        actual.setTimestamp(i, Cell.LATEST_TIMESTAMP);
        actual.stamp(i, 99);
        Cell cell = expected.get(i);
        expected.set(
            i,
            Cell.of(
                cell.row(),
                cell.family(),
                cell.qualifier(),
                99,
                cell.typeCode(),
                cell.value(),
                cell.tags(),
                0));
      }
    }

    private void replace() {
      int from = random.nextInt(expected.size() + 1);
      int to = from + random.nextInt(expected.size() - from + 1);
      if (random.nextBoolean()) {
        actual = CellBuffer.copyOf(actual, from, to);
        List<Cell> part = List.copyOf(expected.subList(from, to));
        expected.clear();
        expected.addAll(part);
      } else if (random.nextBoolean()) {
        actual = actual.sorted(CellComparator.USER);
        expected.sort(CellComparator.USER);
      } else {
        actual = CellBuffer.ofBlock(block());
      }
    }

    private byte[] block() {
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      for (int piece = 0; piece < actual.pieces(); piece++) {
        block.write(actual.piece(piece), 0, actual.pieceSize(piece));
      }
      return block.toByteArray();
    }

    private void compare() {
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      assertThat(actual.size()).as(name).isEqualTo(expected.size());
      int bytes = 0;
      boolean markers = false;
      boolean tags = false;
      Cell view = new Cell();
      for (int i = 0; i < expected.size(); i++) {
        Cell cell = expected.get(i);
        byte[] serialized = serialized(cell);
        block.writeBytes(Bytes.ofInt(serialized.length));
        block.writeBytes(serialized);
        assertThat(actual.byteSize(i)).as(name).isEqualTo(bytes);
        bytes += serialized.length;
        markers |= CellType.isDelete(cell.typeCode());
        tags |= cell.tagsLength() > 0;
      }
      for (int n = 0; n < expected.size(); n++) {
        int i = random.nextBoolean() ? n : random.nextInt(expected.size());
        byte[] serialized = serialized(expected.get(i));
        assertThat(serialized(actual.get(i, view, 5))).as(name).isEqualTo(serialized);
        assertThat(view.sequence()).isEqualTo(5);
        assertThat(actual.length(i)).as(name).isEqualTo(serialized.length);
        int offset = actual.offset(i);
        assertThat(Arrays.copyOfRange(actual.bytes(i), offset, offset + serialized.length))
            .as(name)
            .isEqualTo(serialized);
      }
      assertThat(block()).as(name).isEqualTo(block.toByteArray());
      assertThat(actual.blockSize()).as(name).isEqualTo(block.size());
      assertThat(actual.byteSize()).as(name).isEqualTo(bytes);
      assertThat(actual.hasMarkers()).as(name).isEqualTo(markers);
      assertThat(actual.mayHaveTags() || !tags).as(name).isTrue();
      long capacity = actual.capacity();
      for (int piece = 0; piece < actual.pieces(); piece++) {
        capacity -= actual.piece(piece).length;
      }
      assertThat(capacity).as(name).isGreaterThanOrEqualTo(4L * expected.size());
    }

    private static byte[] serialized(Cell cell) {
      byte[] bytes = new byte[cell.serializedLength(true)];
      cell.writeTo(bytes, 0, true);
      return bytes;
    }
  }
}
