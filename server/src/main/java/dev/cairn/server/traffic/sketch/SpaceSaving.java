package dev.cairn.server.traffic.sketch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the heaviest keys of a stream of weighted keys with a fixed number of counters.
 *
 * <p><b>Error.</b> Let {@code N} be the total weight and {@code k} the number of counters. Then,
 * for every stream and every order of it, without randomness:
 *
 * <ul>
 *   <li>each held key has {@code true <= count <= true + error}, and {@code error <= N / k};
 *   <li>each key that is not held has a true weight of at most {@link #absentMax}, which is at most
 *       {@code N / k}. So every key heavier than {@code N / k} is held.
 * </ul>
 *
 * With {@code epsilon = 1 / k}, this is the bound {@code epsilon * N}. It is from A. Metwally, D.
 * Agrawal, A. El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data Streams",
 * ICDT 2005, lemma 3 and theorem 2; for weights see R. Berinde, P. Indyk, G. Cormode, M. Strauss,
 * "Space-optimal Heavy Hitters with Strong Error Bounds", TODS 35 (2010). The bound survives {@link
 * #merge}: P. Agarwal, G. Cormode, Z. Huang, J. Phillips, Z. Wei, K. Yi, "Mergeable Summaries",
 * PODS 2012.
 *
 * <p><b>Sampled streams.</b> If the stream is a sample of one in {@code s} requests, each weighted
 * by {@code s}, the bound holds against the sampled stream. The sample adds a standard deviation of
 * {@code sqrt(s * n)} for a key of {@code n} requests.
 *
 * <p><b>Cost.</b> An update takes one look-up in a hash map and at most {@code 2 * log2(k)} moves
 * in a heap. Memory is {@code k} counters. Not thread-safe.
 */
public final class SpaceSaving<K> {

  /**
   * A key that a {@link SpaceSaving} sketch holds. The true weight of the key lies between {@link
   * #atLeast} and {@link #count}.
   *
   * @param key the key
   * @param count the estimated weight; never below the true one
   * @param error how much too large {@code count} can be
   */
  public record HeavyKey<K>(K key, double count, double error) {
    /** Returns a weight that the key has for certain. */
    public double atLeast() {
      return count - error;
    }
  }

  private static final class Counter<K> {
    private final K key;
    private double count;
    private final double error;
    private int place;

    Counter(K key, double count, double error) {
      this.key = key;
      this.count = count;
      this.error = error;
    }
  }

  private final int capacity;
  private final Map<K, Counter<K>> counters;

  /** A binary heap with the lightest counter first. */
  private final List<Counter<K>> heap;

  private double total;

  /**
   * Creates an empty sketch.
   *
   * @param capacity the number of counters, at least 1
   */
  public SpaceSaving(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("A sketch with " + capacity + " counters");
    }
    this.capacity = capacity;
    this.counters = new HashMap<>();
    this.heap = new ArrayList<>();
  }

  /**
   * Adds weight to a key.
   *
   * @param key not to be changed later
   * @param weight at least 0
   */
  public void add(K key, double weight) {
    if (!(weight >= 0)) {
      throw new IllegalArgumentException("A weight of " + weight);
    }
    total += weight;
    Counter<K> known = counters.get(key);
    if (known != null) {
      known.count += weight;
      sink(known.place);
    } else if (heap.size() < capacity) {
      push(new Counter<>(key, weight, 0));
    } else {
      Counter<K> lightest = heap.get(0);
      counters.remove(lightest.key);
      Counter<K> counter = new Counter<>(key, lightest.count + weight, lightest.count);
      counters.put(key, counter);
      put(0, counter);
      sink(0);
    }
  }

  /** Returns the total weight of the stream. */
  public double total() {
    return total;
  }

  /** Returns the largest weight that a key which is not held can have; at most N / capacity. */
  public double absentMax() {
    return heap.size() < capacity ? 0 : heap.get(0).count;
  }

  /** Returns at most {@code max} held keys, the heaviest first. */
  public List<HeavyKey<K>> top(int max) {
    return heap.stream()
        .sorted(Comparator.comparingDouble((Counter<K> counter) -> counter.count).reversed())
        .limit(max)
        .map(counter -> new HeavyKey<>(counter.key, counter.count, counter.error))
        .toList();
  }

  /**
   * Returns a sketch of both streams together, with as many counters as the smaller of the two. A
   * key that only one of them holds can have up to {@link #absentMax} in the other, which goes into
   * its count and its error.
   */
  public SpaceSaving<K> merge(SpaceSaving<K> other) {
    int kept = Math.min(capacity, other.capacity);
    List<Counter<K>> sums = new ArrayList<>();
    for (Counter<K> mine : heap) {
      Counter<K> theirs = other.counters.get(mine.key);
      double count = theirs == null ? other.absentMax() : theirs.count;
      double error = theirs == null ? other.absentMax() : theirs.error;
      sums.add(new Counter<>(mine.key, mine.count + count, mine.error + error));
    }
    for (Counter<K> theirs : other.heap) {
      if (!counters.containsKey(theirs.key)) {
        sums.add(new Counter<>(theirs.key, theirs.count + absentMax(), theirs.error + absentMax()));
      }
    }
    sums.sort(Comparator.comparingDouble((Counter<K> counter) -> counter.count).reversed());
    SpaceSaving<K> merged = new SpaceSaving<>(kept);
    merged.total = total + other.total;
    sums.stream().limit(kept).forEach(merged::push);
    return merged;
  }

  private void push(Counter<K> counter) {
    counters.put(counter.key, counter);
    heap.add(counter);
    counter.place = heap.size() - 1;
    rise(counter.place);
  }

  private void rise(int from) {
    int place = from;
    Counter<K> counter = heap.get(place);
    while (place > 0 && heap.get((place - 1) / 2).count > counter.count) {
      put(place, heap.get((place - 1) / 2));
      place = (place - 1) / 2;
    }
    put(place, counter);
  }

  private void sink(int from) {
    int place = from;
    Counter<K> counter = heap.get(place);
    for (int child = 2 * place + 1; child < heap.size(); child = 2 * place + 1) {
      if (child + 1 < heap.size() && heap.get(child + 1).count < heap.get(child).count) {
        child++;
      }
      if (heap.get(child).count >= counter.count) {
        break;
      }
      put(place, heap.get(child));
      place = child;
    }
    put(place, counter);
  }

  private void put(int place, Counter<K> counter) {
    heap.set(place, counter);
    counter.place = place;
  }
}
