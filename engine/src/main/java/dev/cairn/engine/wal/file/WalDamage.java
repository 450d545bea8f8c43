package dev.cairn.engine.wal.file;

/** Bytes that do not form an entry; {@link WalReader} decides what that means. */
final class WalDamage extends Exception {
  private final boolean pastEnd;

  private WalDamage(String message, boolean pastEnd) {
    super(message, null, false, false);
    this.pastEnd = pastEnd;
  }

  /** The file ends where more bytes are needed. */
  static WalDamage pastEnd(String what, long needed, long available) {
    return new WalDamage(
        "expected " + needed + " bytes of " + what + ", found " + Math.max(0, available), true);
  }

  /** The bytes are there and wrong. */
  static WalDamage wrong(String expectedAndFound) {
    return new WalDamage(expectedAndFound, false);
  }

  boolean isPastEnd() {
    return pastEnd;
  }
}
