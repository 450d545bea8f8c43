package dev.cairn.engine.wal.file;

/**
 * The number that a client gave to a change which must not be made twice. The log has it with the
 * change, so that a recovery knows that the change was made.
 *
 * @param group the client's nonce group, which tells its numbers from those of other clients
 * @param number the number; 0 for none
 */
public record Nonce(long group, long number) {
  /** No number: the change may be made any number of times. */
  public static final Nonce NONE = new Nonce(0, 0);

  /** Tells whether there is a number. */
  public boolean isPresent() {
    return number != 0;
  }
}
