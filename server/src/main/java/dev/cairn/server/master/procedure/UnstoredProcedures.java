package dev.cairn.server.master.procedure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Remembers the latest ids of operations that are listed as procedures but not stored: transitions
 * of regions, orders to servers and recoveries of dead servers. Owned by the loop.
 */
public final class UnstoredProcedures {
  /** The number of ids to remember. A client asks soon, if at all. */
  private static final int REMEMBERED_MAX = 20_000;

  private final Map<Long, Long> begun = new LinkedHashMap<>();

  /** Records that a procedure begins. */
  public void begin(long id, long nowMillis) {
    begun.put(id, nowMillis);
    if (begun.size() > REMEMBERED_MAX) {
      begun.remove(begun.keySet().iterator().next());
    }
  }

  /** Returns when a procedure began, milliseconds since 1970; empty if the id is not known. */
  public OptionalLong begunMillis(long id) {
    Long millis = begun.get(id);
    return millis == null ? OptionalLong.empty() : OptionalLong.of(millis);
  }
}
