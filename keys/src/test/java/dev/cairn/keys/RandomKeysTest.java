package dev.cairn.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Formats and values drawn at random: keys sort, ranges contain and texts say what they should. */
class RandomKeysTest {
  private static final int ROUNDS = Integer.getInteger("cairn.rounds", 1_000);
  private static final int KEYS = 12;

  private final long seed = Long.getLong("cairn.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private interface Check {
    void check(RandomFormat format, List<Object[]> values, String about);
  }

  private void rounds(boolean ordered, Check check) {
    for (int round = 0; round < ROUNDS; round++) {
      RandomFormat format = ordered ? RandomFormat.ordered(random) : RandomFormat.any(random);
      List<Object[]> values = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        values.add(format.values(random, values));
      }
      check.check(format, values, "seed " + seed + ", round " + round + ", " + format.format());
    }
  }

  @Test
  void keysSortAsTheirValues() {
    rounds(
        true,
        (format, tuples, about) -> {
          for (Object[] left : tuples) {
            for (Object[] right : tuples) {
              assertThat(
                      Integer.signum(
                          Arrays.compareUnsigned(
                              format.format().encode(left), format.format().encode(right))))
                  .describedAs(
                      "%s: %s, %s", about, RandomFormat.show(left), RandomFormat.show(right))
                  .isEqualTo(Integer.signum(format.compare(left, right, left.length)));
            }
          }
        });
  }

  @Test
  void keysAreReadBackAndPrinted() {
    Set<String> words = new HashSet<>();
    rounds(
        false,
        (format, tuples, about) -> {
          format.models().forEach(model -> words.add(model.word()));
          for (Object[] values : tuples) {
            String described = about + ": " + RandomFormat.show(values);
            byte[] key = format.format().encode(values);
            KeyValues decoded = format.format().decode(key);
            assertThat(format.compare(decoded.asList().toArray(), values, values.length))
                .describedAs(described)
                .isZero();
            assertThat(format.format().encode(decoded.asMap()))
                .describedAs(described)
                .isEqualTo(key);
            String text = format.format().print(key);
            assertThat(format.format().parseKey(text))
                .describedAs("%s: %s", described, text)
                .isEqualTo(key);
          }
        });
    TypeModel.ORDERED.forEach(model -> assertThat(words).contains(model.word()));
    TypeModel.UNORDERED.forEach(model -> assertThat(words).contains(model.word()));
  }

  @Test
  void formatsAreReadBackFromTheirText() {
    rounds(
        false,
        (format, tuples, about) -> {
          KeyFormat read = KeyFormat.parse(format.format().toString());
          assertThat(read).describedAs(about).isEqualTo(format.format());
          assertThat(read.toString()).isEqualTo(format.format().toString());
        });
  }

  @Test
  void rangesContainTheKeysWithTheirPrefixAlone() {
    int[] ranges = {0, 0};
    rounds(
        false,
        (format, tuples, about) -> {
          for (Object[] given : tuples) {
            int count = random.nextInt(given.length + 1);
            List<KeyRange> found;
            try {
              found = format.format().range(Arrays.copyOf(given, count));
            } catch (IllegalArgumentException e) {
              assertThat(e.getMessage())
                  .describedAs(about)
                  .containsAnyOf("scattered", "more than 65536 combinations");
              ranges[1]++;
              continue;
            }
            ranges[0]++;
            for (Object[] values : tuples) {
              byte[] key = format.format().encode(values);
              assertThat(found.stream().filter(range -> range.contains(key)).count())
                  .describedAs(
                      "%s: %s of %s, %s",
                      about, count, RandomFormat.show(given), RandomFormat.show(values))
                  .isEqualTo(format.compare(values, given, count) == 0 ? 1 : 0);
            }
          }
        });
    assertThat(ranges[0]).isGreaterThan(5 * ranges[1]);
    assertThat(ranges[1]).isPositive();
  }

  @Test
  void intervalsContainTheValuesFromOneToBelowAnother() {
    rounds(
        true,
        (format, tuples, about) -> {
          Object[] given = tuples.get(0);
          int count = random.nextInt(given.length);
          Object from = bound(tuples, count);
          Object to = bound(tuples, count);
          List<KeyRange> found =
              format.format().range(Arrays.asList(given).subList(0, count), from, to);
          boolean reversed = format.format().valueParts().get(count).type().isReversed();
          for (Object[] values : tuples) {
            byte[] key = format.format().encode(values);
            TypeModel model = format.models().get(count);
            Comparator<Object> order =
                TypeModel.ORDERED.stream()
                    .filter(one -> one.word().equals(model.word()))
                    .findFirst()
                    .map(TypeModel::order)
                    .orElse(TypeModel.bits(1).order());
            Comparator<Object> ofValues = reversed ? order.reversed() : order;
            boolean inside =
                format.compare(values, given, count) == 0
                    && (from == null || ofValues.compare(from, values[count]) <= 0)
                    && (to == null || ofValues.compare(values[count], to) < 0);
            assertThat(found.stream().anyMatch(range -> range.contains(key)))
                .describedAs(
                    "%s: %s of %s from %s to %s, %s",
                    about,
                    count,
                    RandomFormat.show(given),
                    TypeModel.show(from),
                    TypeModel.show(to),
                    RandomFormat.show(values))
                .isEqualTo(inside);
          }
        });
  }

  private Object bound(List<Object[]> tuples, int part) {
    return random.nextInt(4) == 0 ? null : tuples.get(random.nextInt(KEYS))[part];
  }

  @Test
  void fuzzyKeysAndRangesContainAllMatches() {
    int[] counts = {0, 0};
    rounds(
        false,
        (format, tuples, about) -> {
          KeyPattern pattern = format.format().pattern();
          for (ValuePart part : format.format().valueParts()) {
            int index = format.format().indexOf(part.name());
            Object first = tuples.get(0)[index];
            int choice = random.nextInt(4);
            if (choice == 0) {
              pattern = pattern.is(part.name(), first);
            } else if (choice == 1) {
              pattern = pattern.in(part.name(), first, tuples.get(1)[index]);
            } else if (choice == 2 && part.type().isOrdered()) {
              pattern = pattern.between(part.name(), first, tuples.get(1)[index]);
            }
          }
          List<KeyRange> ranges;
          try {
            ranges = pattern.ranges();
          } catch (IllegalArgumentException e) {
            assertThat(e).describedAs(about).hasMessageContaining("more than 65536 combinations");
            return;
          }
          boolean exact = pattern.rangesAreExact();
          List<FuzzyKey> fuzzy = fuzzy(pattern);
          for (Object[] values : tuples) {
            byte[] key = format.format().encode(values);
            boolean matches = pattern.matches(key);
            boolean inRange = ranges.stream().anyMatch(range -> range.contains(key));
            String described = about + ", " + pattern.constraints() + RandomFormat.show(values);
            if (matches || exact) {
              assertThat(inRange).describedAs(described).isEqualTo(matches);
            }
            if (matches && !fuzzy.isEmpty()) {
              assertThat(fuzzy).describedAs(described).anyMatch(one -> one.matches(key));
              counts[0]++;
            }
            if (matches && inRange) {
              counts[1]++;
            }
          }
        });
    assertThat(counts[0]).isGreaterThan(100);
    assertThat(counts[1]).isGreaterThan(100);
  }

  private static List<FuzzyKey> fuzzy(KeyPattern pattern) {
    try {
      return pattern.fuzzyKeys();
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).containsAnyOf("variable length", "share a byte");
      return List.of();
    }
  }
}
