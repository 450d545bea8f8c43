package dev.cairn.engine.cell;

/**
 * The type of a cell: a put or one of the delete markers. The codes are HBase's. Within one
 * timestamp a higher code sorts first, so a delete marker sorts before the puts that it hides.
 */
public enum CellType {
  /** Not a cell: sorts after every cell of the same column and timestamp. */
  MINIMUM(0),
  /** A value. */
  PUT(4),
  /** Hides the one version of its column with exactly its timestamp. */
  DELETE(8),
  /** Hides every cell of its family with exactly its timestamp. */
  DELETE_FAMILY_VERSION(10),
  /** Hides the versions of its column at its timestamp and before. */
  DELETE_COLUMN(12),
  /** Hides the cells of its family at its timestamp and before. */
  DELETE_FAMILY(14),
  /** Not a cell: sorts before every cell of the same column and timestamp, for seeking. */
  MAXIMUM(255);

  private static final CellType[] BY_CODE = new CellType[256];

  static {
    for (CellType type : values()) {
      BY_CODE[type.code] = type;
    }
  }

  private final int code;

  CellType(int code) {
    this.code = code;
  }

  /** Returns the code under which the type is stored, 0 to 255. */
  public int code() {
    return code;
  }

  /**
   * Returns the type with {@code code}.
   *
   * @throws IllegalArgumentException if no type has that code
   */
  public static CellType of(int code) {
    CellType type = code < 0 || code > 255 ? null : BY_CODE[code];
    if (type == null) {
      throw new IllegalArgumentException("No cell type has the code " + code);
    }
    return type;
  }

  /** Tells whether {@code code} is that of one of the four delete markers. */
  public static boolean isDelete(int code) {
    return code == 8 || code == 10 || code == 12 || code == 14;
  }

  /** Tells whether {@code code} is that of a marker that hides all cells up to its own time. */
  public static boolean hidesOlder(int code) {
    return code == 12 || code == 14;
  }
}
