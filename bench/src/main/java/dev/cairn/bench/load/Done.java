package dev.cairn.bench.load;

/** The last operation of one thread. One object per thread, reused for each operation. */
final class Done {
  private String operation = "";
  private long units;
  private long putBytes;
  private boolean missing;

  /** Sets its kind, its number of units, and the bytes that were put. */
  void was(String newOperation, long newUnits, long newPutBytes) {
    operation = newOperation;
    units = newUnits;
    putBytes = newPutBytes;
    missing = false;
  }

  /** Tells that it found nothing. */
  void foundNothing() {
    missing = true;
  }

  String operation() {
    return operation;
  }

  long units() {
    return units;
  }

  long putBytes() {
    return putBytes;
  }

  boolean missing() {
    return missing;
  }
}
