package dev.cairn.bench.load;

import java.util.Locale;
import java.util.Objects;

/**
 * A kind of work, and on what.
 *
 * @param kind its kind
 * @param distribution which rows are chosen, where the kind leaves it open
 * @param valueBytes the size of a value, for the kinds that work on rows of one cell; 0 for others
 */
public record Workload(Kind kind, Distribution distribution, int valueBytes) {
  /** The table on which it works, and the unit that it counts. */
  public enum Kind {
    /** Inserts the rows of YCSB, each with a call. */
    LOAD(Data.YCSB, "call"),
    /** YCSB's A: half reads, half updates of one field. */
    A(Data.YCSB, "call"),
    /** YCSB's B: 95 % reads, 5 % updates. */
    B(Data.YCSB, "call"),
    /** YCSB's C: reads. */
    C(Data.YCSB, "call"),
    /** YCSB's D: 95 % reads, of the latest rows before all, 5 % inserts. */
    D(Data.YCSB, "call"),
    /** YCSB's E: 95 % scans of up to 100 rows, 5 % inserts. */
    E(Data.YCSB, "call"),
    /** YCSB's F: half reads, half a read and an update of the same row, which are two calls. */
    F(Data.YCSB, "call"),
    /** Scans of 50 rows of YCSB's from anywhere. */
    SHORTSCAN(Data.YCSB, "call"),
    /**
     * One scan after the other through all rows of YCSB's, by one thread, with default settings.
     */
    FULLSCAN(Data.YCSB, "row"),
    /** Puts through one BufferedMutator, by one thread. */
    BULK(Data.CELLS, "cell"),
    /** Puts of one row, each with a call. */
    PUT(Data.CELLS, "call"),
    /** Gets of one row, each with a call. */
    GET(Data.CELLS, "call"),
    /** Increments of one of 10,000 counters. */
    COUNTER(Data.COUNTERS, "call");

    private final Data data;
    private final String unit;

    Kind(Data data, String unit) {
      this.data = data;
      this.unit = unit;
    }

    Data data() {
      return data;
    }

    /** Returns what its figures are by: a call, a row or a cell. */
    public String unit() {
      return unit;
    }

    /** Tells whether it leaves open which rows are chosen. */
    public boolean distributed() {
      return switch (this) {
        case A, B, C, E, F -> true;
        default -> false;
      };
    }

    /** Tells whether it works on rows of one cell of any size. */
    public boolean sized() {
      return data == Data.CELLS;
    }

    /** Tells whether it is over when all is done, and not after a time. */
    public boolean counted() {
      return this == LOAD || this == BULK;
    }

    /** Tells whether each operation is a call that a thread waits for. */
    public boolean timed() {
      return this != BULK && this != FULLSCAN;
    }

    /** Tells whether it can be done at a rate that is given. */
    public boolean paced() {
      return timed() && !counted();
    }
  }

  /** On which table. */
  enum Data {
    YCSB,
    CELLS,
    COUNTERS
  }

  /** The distribution by which rows are chosen. */
  public enum Distribution {
    /** Some much more often than others, anywhere in the table. */
    ZIPFIAN,
    /** All alike. */
    UNIFORM
  }

  /** Checks the values. */
  public Workload {
    Objects.requireNonNull(distribution);
    if (kind.sized() != valueBytes > 0) {
      throw new IllegalArgumentException(kind + " with values of " + valueBytes + " bytes");
    }
  }

  /** Returns the name that results have: "C", "C, uniform", "put, 100 B". */
  public String label() {
    String name = kind.data() == Data.YCSB && kind.name().length() == 1 ? kind.name() : lower(kind);
    if (kind.sized()) {
      return name + ", " + size(valueBytes);
    }
    return distribution == Distribution.ZIPFIAN ? name : name + ", " + lower(distribution);
  }

  private static String size(int bytes) {
    return bytes >= 1000 && bytes % 1000 == 0 ? bytes / 1000 + " KB" : bytes + " B";
  }

  private static String lower(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT);
  }
}
