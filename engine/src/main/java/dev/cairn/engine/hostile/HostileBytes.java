package dev.cairn.engine.hostile;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The rows, qualifiers and values of one run of a random test. A run draws its shapes of keys and
 * its number of rows first ({@link #draw}). {@link #toString} shows them; a test prints them with
 * its seed. Each row of the run has a number, so a test can repeat a row and list all rows.
 * Immutable; each method that draws takes its source of randomness.
 */
public final class HostileBytes {
  /** The shapes of keys. */
  public enum Shape {
    /** Keys of one length, as in most tests. */
    EQUALLY_LONG,
    /** All words over an alphabet of a few bytes: each is a prefix of others. */
    PREFIXES,
    /** Words that end with one or more bytes {@code 00} or {@code FF}. */
    BORDER_BYTES,
    /** Long keys that differ only in the last byte or the last two bytes. */
    LAST_BYTE,
    /** Numbers as text, without leading zeros. */
    NUMBERS,
    /**
     * Keys of the greatest length of a row, or one byte shorter; a run has three, and rarely draws
     * them.
     */
    LONGEST
  }

  private static final int LONGEST_COUNT = 3;
  private static final byte[][] ALPHABETS = {
    {'a', 'b'}, {'a', 'b', '0', 0}, {0, (byte) 0xff}, {'a', (byte) 0xff, 0, 'b', '0', 1}
  };
  private static final byte[][] ENDS = {
    {0}, {(byte) 0xff}, {0, 0}, {(byte) 0xff, (byte) 0xff}, {(byte) 0xff, 0}
  };
  private static final int[] COMMON_LENGTHS = {3, 20, 127, 299};

  private final List<Shape> shapes;
  private final byte[] alphabet;
  private final int commonLength;
  private final int rows;
  private final int qualifiers;
  private final int valueMax;

  private HostileBytes(
      List<Shape> shapes,
      byte[] alphabet,
      int commonLength,
      int rows,
      int qualifiers,
      int valueMax) {
    this.shapes = shapes;
    this.alphabet = alphabet;
    this.commonLength = commonLength;
    this.rows = rows;
    this.qualifiers = qualifiers;
    this.valueMax = valueMax;
  }

  /** Draws the shapes of a run, and its numbers of rows (at most 10,000) and of qualifiers. */
  public static HostileBytes draw(RandomGenerator random) {
    int[] numbers = {2, 7, 30, 100, 1000, 10_000};
    return draw(random, numbers[random.nextInt(numbers.length)], 1 + random.nextInt(30));
  }

  /**
   * Draws the shapes of a run.
   *
   * @param rows the number of rows, at least 1
   * @param qualifiers the number of qualifiers, at least 1
   */
  public static HostileBytes draw(RandomGenerator random, int rows, int qualifiers) {
    Set<Shape> shapes = EnumSet.noneOf(Shape.class);
    Shape[] all = Shape.values();
    for (int i = random.nextInt(3) == 0 ? all.length : 1 + random.nextInt(2); i > 0; i--) {
      shapes.add(all[random.nextInt(all.length)]);
    }
    if (shapes.equals(EnumSet.of(Shape.LONGEST))) {
      shapes.add(Shape.PREFIXES);
    }
    return new HostileBytes(
        List.copyOf(shapes),
        ALPHABETS[random.nextInt(ALPHABETS.length)],
        COMMON_LENGTHS[random.nextInt(COMMON_LENGTHS.length)],
        rows,
        qualifiers,
        random.nextInt(3) == 0 ? 3000 : 20);
  }

  /** Returns this with other numbers of rows and qualifiers, each at least 1. */
  public HostileBytes withNumbers(int rows, int qualifiers) {
    return new HostileBytes(shapes, alphabet, commonLength, rows, qualifiers, valueMax);
  }

  /** Returns this without keys of the greatest length. */
  public HostileBytes withoutLongest() {
    List<Shape> shorter = new ArrayList<>(shapes);
    shorter.remove(Shape.LONGEST);
    return new HostileBytes(shorter, alphabet, commonLength, rows, qualifiers, valueMax);
  }

  /** Returns the number of rows. Some of them may be equal. */
  public int rows() {
    return rows;
  }

  /** Returns the shapes of the run's keys. */
  public List<Shape> shapes() {
    return shapes;
  }

  /**
   * Returns a row, which has 1 to {@value Cell#MAX_ROW_LENGTH} bytes.
   *
   * @param number from 0, less than {@link #rows}
   */
  public byte[] row(int number) {
    byte[] key = key(number, Cell.MAX_ROW_LENGTH);
    return key.length == 0 ? new byte[] {alphabet[0]} : key;
  }

  /** Draws a row. */
  public byte[] row(RandomGenerator random) {
    return row(rareLongest(random, rows));
  }

  /**
   * Draws a bound of a range of rows: a row, or a key that is just before or after one. It has 1 to
   * {@value Cell#MAX_ROW_LENGTH} bytes.
   */
  public byte[] bound(RandomGenerator random) {
    byte[] row = row(random);
    switch (random.nextInt(5)) {
      case 0:
        return row.length == Cell.MAX_ROW_LENGTH ? row : Bytes.concat(row, new byte[1]);
      case 1:
        return Arrays.copyOf(row, 1 + random.nextInt(row.length));
      case 2:
        row[row.length - 1]++;
        return row;
      default:
        return row;
    }
  }

  /** Returns a qualifier, which may be empty. The longest one has 1,600 bytes. */
  public byte[] qualifier(int number) {
    return number == 0 ? Bytes.EMPTY : key(number - 1, 2 * commonLength + 1000);
  }

  /** Draws a qualifier. */
  public byte[] qualifier(RandomGenerator random) {
    return qualifier(random.nextInt(qualifiers));
  }

  /** Draws a value: empty, short, long, of one byte repeated, or incompressible. */
  public byte[] value(RandomGenerator random) {
    byte[] value = new byte[length(random)];
    if (random.nextInt(3) == 0) {
      random.nextBytes(value);
    } else {
      Arrays.fill(value, (byte) random.nextInt(256));
    }
    return value;
  }

  /** Draws a value that begins with {@code unique}. */
  public byte[] value(RandomGenerator random, byte[] unique) {
    return Bytes.concat(unique, value(random));
  }

  private int length(RandomGenerator random) {
    return switch (random.nextInt(12)) {
      case 0, 1 -> 0;
      case 2 -> random.nextInt(valueMax + 1);
      default -> random.nextInt(20);
    };
  }

  /**
   * Draws a number below {@code bound}. If a longest key has that number, usually draws once more.
   */
  private int rareLongest(RandomGenerator random, int bound) {
    int number = random.nextInt(bound);
    return shape(number) == Shape.LONGEST && random.nextInt(50) > 0
        ? random.nextInt(bound)
        : number;
  }

  private Shape shape(int number) {
    Shape shape = shapes.get(number % shapes.size());
    boolean one = shape == Shape.LONGEST && number / shapes.size() >= LONGEST_COUNT;
    return one ? shapes.get((number + 1) % shapes.size()) : shape;
  }

  private byte[] key(int number, int lengthMax) {
    int own = number / shapes.size();
    return switch (shape(number)) {
      case EQUALLY_LONG -> Bytes.utf8("row%05d".formatted(own));
      case PREFIXES -> word(own);
      case BORDER_BYTES -> Bytes.concat(word(own / ENDS.length), ENDS[own % ENDS.length]);
      case LAST_BYTE -> {
        byte[] key = new byte[commonLength + (own < 256 ? 1 : 2)];
        Arrays.fill(key, (byte) 'k');
        key[key.length - 1] = (byte) own;
        if (own >= 256) {
          key[key.length - 2] = (byte) (own >> 8);
        }
        yield key;
      }
      case NUMBERS -> Bytes.utf8("" + own);
      case LONGEST -> {
        byte[] key = new byte[lengthMax - own % 2];
        Arrays.fill(key, (byte) 'k');
        key[key.length - 1] = (byte) own;
        yield key;
      }
    };
  }

  /** Returns the word with a number. Shorter words come first, each once; word 0 is one letter. */
  private byte[] word(int number) {
    byte[] reversed = new byte[32];
    int length = 0;
    for (int rest = number + 1; rest > 0; rest = (rest - 1) / alphabet.length) {
      reversed[length++] = alphabet[(rest - 1) % alphabet.length];
    }
    byte[] word = new byte[length];
    for (int i = 0; i < length; i++) {
      word[i] = reversed[length - 1 - i];
    }
    return word;
  }

  @Override
  public String toString() {
    return "%d rows, %d qualifiers, keys %s of %s, %d bytes in common, values to %d bytes"
        .formatted(
            rows, qualifiers, shapes, Bytes.toStringBinary(alphabet), commonLength, valueMax);
  }
}
