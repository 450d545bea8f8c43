package dev.cairn.engine.scan.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ValueRangesTest {
  private static final int RUNS = 20_000;
  private static final byte[] ALPHABET = {0, 1, 'a', (byte) 0xFE, (byte) 0xFF};

  /** All words up to three letters: each is a prefix of others. */
  private static final List<byte[]> WORDS = words(3);

  /** A set, and what it should contain. */
  private record Modelled(ValueRanges set, Predicate<byte[]> model) {}

  @Test
  void setsContainWhatTheirModelsDo() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int run = 0; run < RUNS; run++) {
      Modelled drawn = draw(random, random.nextInt(5));
      String text = "seed " + seed + ", run " + run + ": " + drawn.set;
      List<byte[]> probes = bounds(drawn.set);
      for (int i = 0; i < 20; i++) {
        probes.add(Bytes.concat(word(random), word(random)));
      }
      probes.forEach(
          probe -> {
            byte[] padded = Bytes.concat(new byte[] {7}, Bytes.concat(probe, new byte[1]));
            assertThat(drawn.set.contains(probe))
                .as("%s contains %s", text, Bytes.toStringBinary(probe))
                .isEqualTo(drawn.model.test(probe))
                .isEqualTo(drawn.set.contains(padded, 1, probe.length));
          });
      checkForm(drawn.set, text);
    }
  }

  @Test
  void setsWithTheSameStringsAreEqual() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int equal = 0;
    for (int run = 0; run < RUNS; run++) {
      Modelled a = draw(random, random.nextInt(3));
      Modelled b = draw(random, random.nextInt(3));
      // Between two bounds of either set, neither changes.
      List<byte[]> probes = bounds(a.set);
      probes.addAll(bounds(b.set));
      boolean same = probes.stream().allMatch(p -> a.model.test(p) == b.model.test(p));
      boolean within = probes.stream().allMatch(p -> a.model.test(p) || !b.model.test(p));
      String text = "seed " + seed + ", run " + run + ": " + a.set + " and " + b.set;
      assertThat(a.set.equals(b.set)).as(text).isEqualTo(same);
      assertThat(a.set.containsAll(b.set)).as(text).isEqualTo(within);
      if (same) {
        equal++;
        assertThat(a.set).hasSameHashCodeAs(b.set).hasToString(b.set.toString());
      }
    }
    assertThat(equal).isBetween(100, RUNS - 100);
  }

  @Test
  void aStringComesDirectlyBeforeItsExtensions() {
    ValueRanges a = ValueRanges.of(b("a"));
    assertThat(a.union(ValueRanges.greaterThan(b("a")))).isEqualTo(ValueRanges.atLeast(b("a")));
    assertThat(ValueRanges.between(b("a"), true, b("a\0"), false)).isEqualTo(a);
    assertThat(ValueRanges.between(b("a"), false, b("a\0"), false)).isEqualTo(ValueRanges.NONE);
    assertThat(ValueRanges.between(b("b"), true, b("a"), true).isEmpty()).isTrue();
    assertThat(ValueRanges.prefix(Bytes.EMPTY).isAll()).isTrue();
    assertThat(ValueRanges.prefix(new byte[] {-1, -1}))
        .isEqualTo(ValueRanges.atLeast(new byte[] {-1, -1}));
    assertThat(ValueRanges.lessThan(Bytes.EMPTY).isEmpty()).isTrue();
    assertThat(ValueRanges.atMost(Bytes.EMPTY)).isEqualTo(ValueRanges.of(Bytes.EMPTY));
    assertThatThrownBy(() -> new ValueRanges.Range(b("b"), Optional.of(b("b"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Empty range from \"b\" to \"b\"");
  }

  @Test
  void pointsAreListed() {
    ValueRanges points = ValueRanges.union(List.of(point("b"), point("a"), point("b")));
    assertThat(points.points().orElseThrow()).containsExactly(b("a"), b("b"));
    assertThat(ValueRanges.NONE.points().orElseThrow()).isEmpty();
    assertThat(points.union(ValueRanges.prefix(b("c"))).points()).isEmpty();
    // "a" and "a\0" touch, and are one range.
    assertThat(point("a").union(point("a\0")).points()).isEmpty();
  }

  @Test
  void textsShowTheKindOfBound() {
    assertThat(ValueRanges.NONE).hasToString("nothing");
    assertThat(ValueRanges.ALL).hasToString("[\"\", ...)");
    assertThat(point("a\"\0")).hasToString("\"a\\x22\\x00\"");
    assertThat(ValueRanges.prefix(b("a"))).hasToString("[\"a\", \"b\")");
    assertThat(ValueRanges.between(b("a"), false, b("c"), true)).hasToString("(\"a\", \"c\"]");
    assertThat(point("b").complement()).hasToString("[\"\", \"b\") or (\"b\", ...)");
    List<ValueRanges> many = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      many.add(point("" + i));
    }
    assertThat(ValueRanges.union(many).toString()).endsWith("\"6\" or \"7\" or 2 more");
    assertThat(point("x".repeat(70))).hasToString("\"" + "x".repeat(64) + "\"...");
  }

  private static void checkForm(ValueRanges set, String text) {
    List<ValueRanges.Range> ranges = set.ranges();
    for (int i = 1; i < ranges.size(); i++) {
      byte[] before = ranges.get(i - 1).high().orElseThrow();
      assertThat(Arrays.compareUnsigned(before, ranges.get(i).low())).as(text).isNegative();
    }
  }

  private static Modelled draw(Random random, int depth) {
    byte[] low = word(random);
    byte[] high = word(random);
    if (depth > 0) {
      Modelled a = draw(random, depth - 1);
      Modelled b = draw(random, random.nextInt(depth));
      return switch (random.nextInt(4)) {
        case 0 -> new Modelled(a.set.union(b.set), v -> a.model.test(v) || b.model.test(v));
        case 1 -> new Modelled(a.set.intersection(b.set), v -> a.model.test(v) && b.model.test(v));
        case 2 -> new Modelled(a.set.complement(), v -> !a.model.test(v));
        default -> {
          Modelled c = draw(random, 0);
          yield new Modelled(
              ValueRanges.union(List.of(a.set, b.set, c.set)),
              v -> a.model.test(v) || b.model.test(v) || c.model.test(v));
        }
      };
    }
    return switch (random.nextInt(9)) {
      case 0 -> new Modelled(ValueRanges.of(low), v -> Arrays.equals(v, low));
      case 1 -> new Modelled(ValueRanges.prefix(low), v -> startsWith(v, low));
      case 2 -> new Modelled(ValueRanges.lessThan(low), v -> order(v, low) < 0);
      case 3 -> new Modelled(ValueRanges.atMost(low), v -> order(v, low) <= 0);
      case 4 -> new Modelled(ValueRanges.atLeast(low), v -> order(v, low) >= 0);
      case 5 -> new Modelled(ValueRanges.greaterThan(low), v -> order(v, low) > 0);
      case 6 ->
          random.nextBoolean()
              ? new Modelled(ValueRanges.ALL, v -> true)
              : new Modelled(ValueRanges.NONE, v -> false);
      default -> {
        boolean includeLow = random.nextBoolean();
        boolean includeHigh = random.nextBoolean();
        yield new Modelled(
            ValueRanges.between(low, includeLow, high, includeHigh),
            v -> order(v, low) >= (includeLow ? 0 : 1) && order(v, high) <= (includeHigh ? 0 : -1));
      }
    };
  }

  private static int order(byte[] a, byte[] b) {
    return Integer.signum(Arrays.compareUnsigned(a, b));
  }

  private static boolean startsWith(byte[] value, byte[] prefix) {
    return value.length >= prefix.length
        && Arrays.equals(value, 0, prefix.length, prefix, 0, prefix.length);
  }

  private static List<byte[]> bounds(ValueRanges set) {
    List<byte[]> bounds = new ArrayList<>(List.of(Bytes.EMPTY));
    set.ranges().forEach(range -> bounds.add(range.low()));
    set.ranges().forEach(range -> range.high().ifPresent(bounds::add));
    return bounds;
  }

  private static byte[] word(Random random) {
    return WORDS.get(random.nextInt(WORDS.size()));
  }

  private static List<byte[]> words(int lengthMax) {
    List<byte[]> words = new ArrayList<>(List.of(Bytes.EMPTY));
    for (int next = 0; words.get(next).length < lengthMax; next++) {
      for (byte letter : ALPHABET) {
        words.add(Bytes.concat(words.get(next), new byte[] {letter}));
      }
    }
    return words;
  }

  private static ValueRanges point(String text) {
    return ValueRanges.of(b(text));
  }

  private static byte[] b(String text) {
    return Bytes.utf8(text);
  }
}
