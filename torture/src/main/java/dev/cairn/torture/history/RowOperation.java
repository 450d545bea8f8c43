package dev.cairn.torture.history;

/**
 * A call of a client, with its moments on one clock that all clients share.
 *
 * @param client the client's number
 * @param begin before the call was sent, nanoseconds
 * @param end after its answer came; {@link #NEVER} if its outcome is unknown
 */
public record RowOperation(int client, long begin, long end, RowCall call) {
  /** The end of a call whose outcome is unknown: it takes effect at any time, or never. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Refuses an end before the begin. */
  public RowOperation {
    if (end < begin) {
      throw new IllegalArgumentException("The call ends before it begins: " + call.text());
    }
  }

  /** Tells whether the client received an answer. */
  public boolean isAnswered() {
    return end != NEVER;
  }
}
