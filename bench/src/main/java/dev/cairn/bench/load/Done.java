package dev.cairn.bench.load;

/**
 * What the last operation of one thread was. One for each thread, used again for each operation.
 */
final class Done {
  private String operation = "";
  private long units;
  private long putBytes;
  private boolean missing;

  /** Tells what it was: its kind, how many units it counts, and the bytes that were put. */
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
