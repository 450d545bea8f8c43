package dev.cairn.torture.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Searches an order of calls that explains all results: each call takes effect at one moment
 * between its begin and its end. Wing and Gong's search, with Lowe's memory of the configurations
 * that were tried ("Testing for linearizability", 2017). The time is exponential in the number of
 * calls that overlap; unanswered calls overlap with all later ones, so a row should have few.
 *
 * <p>Checks one row. A history of several rows is linearizable exactly if that of each row is.
 */
public final class LinearizabilityChecker {
  /** A begin or an end of a call, in a list by time from which explained calls are taken out. */
  private static final class Event {
    private final int call;

    /** The end of the call; null for the end itself, and for a call without an answer. */
    private final Event end;

    private Event previous;
    private Event next;

    private Event(int call, Event end) {
      this.call = call;
      this.end = end;
    }
  }

  /** The calls that have taken effect, and the value after them. */
  private record Configuration(BitSet done, OptionalLong value) {}

  /** A call that has taken effect, and the value before it. */
  private record Step(Event begin, OptionalLong before) {}

  private final List<RowOperation> operations;
  private final Event head = new Event(-1, null);
  private final BitSet done = new BitSet();
  private final Set<Configuration> tried = new HashSet<>();
  private final Deque<Step> steps = new ArrayDeque<>();
  private int answeredLeft;
  private List<Integer> longest = List.of();
  private int blocked = -1;

  private LinearizabilityChecker(List<RowOperation> operations) {
    this.operations = operations;
  }

  /**
   * Checks the calls on one row, which has no cell at first.
   *
   * @return empty if an order explains them; else what cannot be explained
   */
  public static Optional<String> check(List<RowOperation> operations) {
    LinearizabilityChecker checker = new LinearizabilityChecker(List.copyOf(operations));
    checker.link();
    return checker.search() ? Optional.empty() : Optional.of(checker.message());
  }

  /** A moment of a call, for sorting. Begins come before ends of the same time: they overlap. */
  private record Moment(long nanos, boolean isEnd, Event event) {}

  private void link() {
    List<Moment> moments = new ArrayList<>();
    for (int call = 0; call < operations.size(); call++) {
      RowOperation operation = operations.get(call);
      Event end = operation.isAnswered() ? new Event(call, null) : null;
      moments.add(new Moment(operation.begin(), false, new Event(call, end)));
      if (end != null) {
        moments.add(new Moment(operation.end(), true, end));
        answeredLeft++;
      }
    }
    moments.sort(Comparator.comparingLong(Moment::nanos).thenComparing(Moment::isEnd));
    Event last = head;
    for (Moment moment : moments) {
      last.next = moment.event();
      moment.event().previous = last;
      last = moment.event();
    }
  }

  private boolean search() {
    OptionalLong value = OptionalLong.empty();
    Event event = head.next;
    while (answeredLeft > 0) {
      if (event != null && isBegin(event)) {
        Optional<OptionalLong> after = operations.get(event.call).call().apply(value);
        if (after.isPresent() && isNew(event, after.get())) {
          steps.push(new Step(event, value));
          value = after.get();
          takeOut(event);
          event = head.next;
        } else {
          event = event.next;
        }
      } else {
        // The end of a call that has not taken effect, or the end of the list.
        remember(event);
        if (steps.isEmpty()) {
          return false;
        }
        Step last = steps.pop();
        value = last.before();
        putBack(last.begin());
        event = last.begin().next;
      }
    }
    return true;
  }

  private boolean isBegin(Event event) {
    return event.end != null || !operations.get(event.call).isAnswered();
  }

  private boolean isNew(Event event, OptionalLong after) {
    BitSet with = (BitSet) done.clone();
    with.set(event.call);
    return tried.add(new Configuration(with, after));
  }

  private void takeOut(Event begin) {
    done.set(begin.call);
    unlink(begin);
    if (begin.end != null) {
      unlink(begin.end);
      answeredLeft--;
    }
  }

  private void putBack(Event begin) {
    done.clear(begin.call);
    if (begin.end != null) {
      link(begin.end);
      answeredLeft++;
    }
    link(begin);
  }

  private static void unlink(Event event) {
    event.previous.next = event.next;
    if (event.next != null) {
      event.next.previous = event.previous;
    }
  }

  private static void link(Event event) {
    event.previous.next = event;
    if (event.next != null) {
      event.next.previous = event;
    }
  }

  /** Keeps the longest order found, for the message. */
  private void remember(Event event) {
    if (event != null && steps.size() >= longest.size()) {
      longest = new ArrayList<>();
      steps.descendingIterator().forEachRemaining(step -> longest.add(step.begin().call));
      blocked = event.call;
    }
  }

  private String message() {
    OptionalLong value = OptionalLong.empty();
    for (int call : longest) {
      value = operations.get(call).call().apply(value).orElseThrow();
    }
    return "No order explains the results. After %d of %d calls the value is %s, which does not fit %s"
        .formatted(
            longest.size(),
            operations.size(),
            value.isPresent() ? String.valueOf(value.getAsLong()) : "none",
            RecordedHistory.line("", operations.get(blocked)).strip());
  }
}
