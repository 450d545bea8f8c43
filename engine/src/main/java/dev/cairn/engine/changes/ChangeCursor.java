package dev.cairn.engine.changes;

import java.util.Optional;

/**
 * A named position that holds the logs after it.
 *
 * @param name letters, digits, {@code _} and {@code -}
 * @param position the changes before it are not needed any more
 * @param savedMillis when the position was saved, milliseconds since 1970
 * @param limits the limits up to which it holds logs
 * @param purpose the reason for which it holds logs, in one line, such as the folder of the backups
 *     that need them; empty if unknown
 * @param lost the reason why it no longer holds logs; empty if it holds them
 */
public record ChangeCursor(
    String name,
    ChangePosition position,
    long savedMillis,
    Limits limits,
    Optional<String> purpose,
    Optional<String> lost) {
  private static final String NAME = "[A-Za-z0-9_-]{1,100}";

  /**
   * The limits up to which a cursor holds logs. At a limit, the cursor is lost, and the log cleaner
   * deletes the logs.
   *
   * @param bytes the greatest total size of archived logs that only cursors hold, 0 or more
   * @param millis the longest time without a change of the position, 0 or more
   */
  public record Limits(long bytes, long millis) {
    /** Checks the ranges. */
    public Limits {
      if (bytes < 0 || millis < 0) {
        throw new IllegalArgumentException("The limits of a cursor must be 0 or more");
      }
    }
  }

  /** Tells whether a text can be the name of a cursor. */
  public static boolean isName(String text) {
    return text.matches(NAME);
  }

  /** Creates a cursor that holds its logs and has no purpose. */
  public ChangeCursor(String name, ChangePosition position, long savedMillis, Limits limits) {
    this(name, position, savedMillis, limits, Optional.empty(), Optional.empty());
  }

  /** Checks the name and the purpose. */
  public ChangeCursor {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "The name of a cursor has letters, digits, _ and -, at most 100, not <" + name + ">");
    }
    if (purpose.filter(text -> text.isBlank() || text.indexOf('\n') >= 0).isPresent()) {
      throw new IllegalArgumentException(
          "The purpose of a cursor is one line, not <" + purpose + ">");
    }
  }

  /** Returns the same cursor at another position. */
  public ChangeCursor at(ChangePosition other, long nowMillis) {
    return new ChangeCursor(name, other, nowMillis, limits, purpose, lost);
  }
}
