package dev.cairn.engine.probe;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts how often marked branches are taken. A mark stands at each branch that exists for speed. A
 * random test names the marks that it has to reach, and fails if one of them stays at zero: then
 * its inputs miss the branch, and prove nothing about it.
 *
 * <p>A mark is a constant of an enum, and its count belongs to the process. A branch counts it with
 * {@code assert Marks.hit(MARK)}, so nothing is counted where assertions are off. Thread-safe.
 */
public final class Marks {
  private static final Map<Enum<?>, LongAdder> COUNTS = new ConcurrentHashMap<>();

  private Marks() {}

  /** Counts a mark. Returns true, for {@code assert}. */
  public static boolean hit(Enum<?> mark) {
    LongAdder count = COUNTS.get(mark);
    if (count == null) {
      count = COUNTS.computeIfAbsent(mark, key -> new LongAdder());
    }
    count.increment();
    return true;
  }

  /** Counts a mark if {@code taken} is true. Returns true, for {@code assert}. */
  public static boolean hitIf(boolean taken, Enum<?> mark) {
    return !taken || hit(mark);
  }

  /** Returns how often a mark was counted since the process began. */
  public static long count(Enum<?> mark) {
    LongAdder count = COUNTS.get(mark);
    return count == null ? 0 : count.sum();
  }

  /** Begins to watch all marks of an enum. */
  public static <E extends Enum<E>> Watch<E> watch(Class<E> marks) {
    return new Watch<>(marks);
  }

  /** Tells which marks were counted since the watch was made. */
  public static final class Watch<E extends Enum<E>> {
    private final Map<E, Long> before;

    private Watch(Class<E> marks) {
      before = new EnumMap<>(marks);
      for (E mark : marks.getEnumConstants()) {
        before.put(mark, Marks.count(mark));
      }
    }

    /** Returns how often a mark was counted since the watch was made. */
    public long count(E mark) {
      return Marks.count(mark) - before.get(mark);
    }

    /** Returns those of the given marks that were not counted since the watch was made. */
    public List<E> missed(Set<E> wanted) {
      return wanted.stream().filter(mark -> count(mark) == 0).toList();
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder();
      before
          .keySet()
          .forEach(mark -> text.append(mark).append(' ').append(count(mark)).append('\n'));
      return text.toString();
    }
  }
}
