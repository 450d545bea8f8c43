package dev.cairn.torture.scheduler;

import java.util.Arrays;

/**
 * The alarms that wait, as a heap by time; equal times in the order of their numbers. Each alarm
 * knows its place, so that it can be removed in logarithmic time: most alarms are timeouts, which
 * are cancelled.
 */
final class AlarmQueue {
  /** Fewer levels than with two: a move to the next level loads an alarm from memory. */
  private static final int CHILDREN = 4;

  private Scheduler.Alarm[] heap = new Scheduler.Alarm[64];
  private int size;

  /** Returns the next alarm; null if there is none. */
  Scheduler.Alarm peek() {
    return size == 0 ? null : heap[0];
  }

  /** Adds an alarm that is in no queue. */
  void add(Scheduler.Alarm alarm) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    raise(size++, alarm);
  }

  /** Removes an alarm. Returns false if it is not in the queue. */
  boolean remove(Scheduler.Alarm alarm) {
    int place = alarm.place;
    if (place < 0) {
      return false;
    }
    alarm.place = -1;
    Scheduler.Alarm last = heap[--size];
    heap[size] = null;
    if (place < size) {
      lower(place, last);
      if (heap[place] == last) {
        raise(place, last);
      }
    }
    return true;
  }

  /** Removes all alarms. */
  void clear() {
    while (size > 0) {
      remove(heap[size - 1]);
    }
  }

  /** Puts {@code alarm} at {@code place} or above it. */
  private void raise(int place, Scheduler.Alarm alarm) {
    int at = place;
    while (at > 0) {
      int above = (at - 1) / CHILDREN;
      if (!alarm.isBefore(heap[above])) {
        break;
      }
      put(at, heap[above]);
      at = above;
    }
    put(at, alarm);
  }

  /** Puts {@code alarm} at {@code place} or below it. */
  private void lower(int place, Scheduler.Alarm alarm) {
    int at = place;
    for (int first = CHILDREN * at + 1; first < size; first = CHILDREN * at + 1) {
      int least = first;
      for (int other = first + 1; other < Math.min(first + CHILDREN, size); other++) {
        if (heap[other].isBefore(heap[least])) {
          least = other;
        }
      }
      if (!heap[least].isBefore(alarm)) {
        break;
      }
      put(at, heap[least]);
      at = least;
    }
    put(at, alarm);
  }

  private void put(int place, Scheduler.Alarm alarm) {
    heap[place] = alarm;
    alarm.place = place;
  }
}
