package dev.cairn.server.page;

import java.util.List;

/**
 * Events on a time line, one lane for each kind of event. In JSON, a list of events.
 *
 * @param id its name in JSON
 * @param title its heading
 * @param fromMillis the left end, milliseconds since 1970
 * @param toMillis the right end
 */
public record Timeline(String id, String title, long fromMillis, long toMillis, List<Event> events)
    implements Section {
  /**
   * One event.
   *
   * @param lane its kind
   * @param startMillis when it began, milliseconds since 1970
   * @param endMillis when it ended; the same if it took no time
   * @param what a sentence about it
   */
  public record Event(String lane, long startMillis, long endMillis, Level level, String what) {}

  /** Copies the events and checks the id. */
  public Timeline {
    Ids.check(id);
    events = List.copyOf(events);
  }
}
