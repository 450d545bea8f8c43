package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.write.Mutation;
import java.util.Locale;

/** The kinds of work whose times are recorded for each table. */
public enum Operation {
  GET("Get"),
  SCAN("Scan"),
  PUT("Put"),
  DELETE("Delete"),
  INCREMENT("Increment"),
  APPEND("Append"),
  CHECK_AND_PUT("CheckAndPut"),
  CHECK_AND_DELETE("CheckAndDelete"),
  /** A conditional increment, append, or group of mutations. */
  CHECK_AND_OTHER("CheckAndOther"),
  /** The mutations of a batch for one region, with at least one that is not a deletion. */
  PUT_BATCH("PutBatch"),
  /** The deletions of a batch for one region. */
  DELETE_BATCH("DeleteBatch");

  /** HBase's name of all conditional operations together. */
  public static final String CONDITIONAL = "CheckAndMutate";

  private final String hbaseName;

  Operation(String hbaseName) {
    this.hbaseName = hbaseName;
  }

  /** Returns the operation of a single mutation without a condition. */
  public static Operation of(Mutation.Kind kind) {
    return switch (kind) {
      case PUT -> PUT;
      case DELETE -> DELETE;
      case INCREMENT -> INCREMENT;
      case APPEND -> APPEND;
    };
  }

  /** Returns the operation of a single mutation under a condition. */
  public static Operation conditional(Mutation.Kind kind) {
    return switch (kind) {
      case PUT -> CHECK_AND_PUT;
      case DELETE -> CHECK_AND_DELETE;
      case INCREMENT, APPEND -> CHECK_AND_OTHER;
    };
  }

  /** Tells whether the mutations are under a condition. */
  public boolean isConditional() {
    return this == CHECK_AND_PUT || this == CHECK_AND_DELETE || this == CHECK_AND_OTHER;
  }

  /** Returns the prefix of HBase's metrics of the operation. */
  public String hbaseName() {
    return hbaseName;
  }

  /** Returns the value of the label {@code method}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
