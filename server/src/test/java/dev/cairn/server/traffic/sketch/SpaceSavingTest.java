package dev.cairn.server.traffic.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.server.traffic.sketch.SpaceSaving.HeavyKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The error of the sketch against exact counts stays within N / k, whatever the stream. */
class SpaceSavingTest {
  private static final int COUNTERS = 50;
  private static final int STREAM = 100_000;

  private final long seed = Long.getLong("cairn.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  /** A stream with its sketch and its exact counts. */
  private static final class Checked {
    private final SpaceSaving<Integer> sketch = new SpaceSaving<>(COUNTERS);
    private final Map<Integer, Double> exact = new HashMap<>();

    void add(int key, double weight) {
      sketch.add(key, weight);
      exact.merge(key, weight, Double::sum);
    }

    void check() {
      check(sketch, exact);
    }

    static void check(SpaceSaving<Integer> sketch, Map<Integer, Double> exact) {
      double total = exact.values().stream().mapToDouble(one -> one).sum();
      double bound = total / COUNTERS * (1 + 1e-9);
      assertThat(sketch.total()).isCloseTo(total, within(1e-6 * total + 1e-9));
      assertThat(sketch.absentMax()).isLessThanOrEqualTo(bound);
      Map<Integer, HeavyKey<Integer>> held = new HashMap<>();
      sketch.top(COUNTERS).forEach(one -> held.put(one.key(), one));
      exact.forEach(
          (key, weight) -> {
            HeavyKey<Integer> one = held.get(key);
            if (one == null) {
              assertThat(weight).isLessThanOrEqualTo(sketch.absentMax() * (1 + 1e-9));
            } else {
              assertThat(one.error()).isLessThanOrEqualTo(bound);
              assertThat(one.count()).isGreaterThanOrEqualTo(weight * (1 - 1e-9));
              assertThat(one.atLeast()).isLessThanOrEqualTo(weight * (1 + 1e-9));
            }
          });
    }
  }

  @BeforeEach
  void printSeed() {
    System.out.println("seed " + seed);
  }

  @Test
  void aZipfianStreamStaysWithinTheBound() {
    for (double exponent : new double[] {0.6, 0.99, 1.5}) {
      Checked stream = new Checked();
      for (int key : zipfian(exponent, 10_000)) {
        stream.add(key, 1);
      }
      stream.check();
    }
  }

  @Test
  void theHeaviestKeysOfAZipfianStreamAreFoundInOrder() {
    SpaceSaving<Integer> sketch = new SpaceSaving<>(COUNTERS);
    for (int key : zipfian(1.5, 10_000)) {
      sketch.add(key, 1);
    }
    assertThat(sketch.top(3)).extracting(HeavyKey::key).containsExactly(0, 1, 2);
  }

  @Test
  void adversarialStreamsStayWithinTheBound() {
    Checked allDifferent = new Checked();
    Checked roundRobin = new Checked(); // each key was just evicted when it comes again
    Checked heavyLast = new Checked();
    Checked growing = new Checked();
    for (int i = 0; i < STREAM; i++) {
      allDifferent.add(i, 1);
      roundRobin.add(i % (COUNTERS + 1), 1);
      heavyLast.add(i < STREAM * 9 / 10 ? i : -1, 1);
      growing.add(i % 1_000, 1 + i / 100);
    }
    allDifferent.check();
    roundRobin.check();
    heavyLast.check();
    growing.check();
    assertThat(heavyLast.sketch.top(1)).extracting(HeavyKey::key).containsExactly(-1);
  }

  @Test
  void weightsOfSamplesStayWithinTheBound() {
    Checked stream = new Checked();
    for (int i = 0; i < STREAM; i++) {
      int key = (int) Math.sqrt(random.nextInt(1_000_000));
      stream.add(key, 1 << random.nextInt(8));
    }
    stream.check();
  }

  @Test
  void aMergeStaysWithinTheBoundOfBothStreams() {
    for (int overlap : new int[] {0, 500, 1_000}) {
      Checked one = new Checked();
      Checked other = new Checked();
      for (int key : zipfian(0.99, 1_000)) {
        one.add(key, 1);
      }
      for (int key : zipfian(0.8, 1_000)) {
        other.add(key + 1_000 - overlap, 3);
      }
      Map<Integer, Double> both = new HashMap<>(one.exact);
      other.exact.forEach((key, weight) -> both.merge(key, weight, Double::sum));
      SpaceSaving<Integer> merged = one.sketch.merge(other.sketch);
      Checked.check(merged, both);
      // The merged sketch goes on.
      for (int i = 0; i < 1_000; i++) {
        merged.add(-i, 2);
        both.merge(-i, 2.0, Double::sum);
      }
      Checked.check(merged, both);
    }
  }

  @Test
  void aMergeOfManyStaysWithinTheBound() {
    SpaceSaving<Integer> merged = new SpaceSaving<>(COUNTERS);
    Map<Integer, Double> all = new HashMap<>();
    for (int part = 0; part < 20; part++) {
      Checked stream = new Checked();
      for (int i = 0; i < 5_000; i++) {
        stream.add(part % 2 == 0 ? random.nextInt(100) : random.nextInt(10_000), 1);
      }
      merged = merged.merge(stream.sketch);
      stream.exact.forEach((key, weight) -> all.merge(key, weight, Double::sum));
    }
    Checked.check(merged, all);
  }

  @Test
  void aStreamOfFewKeysIsExact() {
    SpaceSaving<String> sketch = new SpaceSaving<>(3);
    sketch.add("a", 1);
    sketch.add("b", 5);
    sketch.add("a", 2);
    assertThat(sketch.top(9)).containsExactly(new HeavyKey<>("b", 5, 0), new HeavyKey<>("a", 3, 0));
    assertThat(sketch.absentMax()).isZero();
  }

  private List<Integer> zipfian(double exponent, int keys) {
    List<Integer> stream = new ArrayList<>();
    double sum = 0;
    for (int i = 1; i <= keys; i++) {
      sum += Math.pow(i, -exponent);
    }
    for (int i = 1; i <= keys; i++) {
      long times = Math.round(STREAM * Math.pow(i, -exponent) / sum);
      stream.addAll(Collections.nCopies((int) times, i - 1));
    }
    Collections.shuffle(stream, new Random(seed));
    return stream;
  }
}
