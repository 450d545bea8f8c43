package dev.cairn.engine.scan.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.condition.RowCondition.All;
import dev.cairn.engine.scan.condition.RowCondition.AnyOf;
import dev.cairn.engine.scan.condition.RowCondition.Column;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RowConditionTest {
  private static final int RUNS = 20_000;
  private static final String[] VALUES = {"", "\0", "a", "a\0", "ab", "b"};

  /** A put of a column. */
  private record Put(String column, String value) {}

  /** A condition, and which rows should fulfil it. */
  private record Modelled(RowCondition condition, Predicate<Set<Put>> model) {}

  @Test
  void rowsFulfilTheNormalFormOfWhatTheyFulfil() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int run = 0; run < RUNS; run++) {
      Modelled drawn = draw(random, random.nextInt(4));
      for (int i = 0; i < 10; i++) {
        Set<Put> row = row(random);
        assertThat(isFulfilled(drawn.condition, row))
            .as("seed %d, run %d: %s fulfils %s", seed, run, row, drawn.condition)
            .isEqualTo(drawn.model.test(row));
      }
    }
  }

  @Test
  void listsAreInNormalForm() {
    RowCondition a = column("a", point("x"));
    RowCondition b = column("b", point("x"));
    RowCondition c = column("c", point("x"));
    assertThat(all()).isEqualTo(RowCondition.ANY);
    assertThat(anyOf()).isEqualTo(RowCondition.NONE);
    assertThat(all(a, RowCondition.ANY)).isEqualTo(a);
    assertThat(all(a, RowCondition.NONE)).isEqualTo(RowCondition.NONE);
    assertThat(anyOf(a, RowCondition.ANY)).isEqualTo(RowCondition.ANY);
    assertThat(anyOf(a, RowCondition.NONE)).isEqualTo(a);
    assertThat(all(a, all(b, c))).isEqualTo(new All(List.of(a, b, c)));
    assertThat(anyOf(a, anyOf(b, c))).isEqualTo(new AnyOf(List.of(a, b, c)));
    assertThat(column("a", ValueRanges.NONE)).isEqualTo(RowCondition.NONE);
    // Of one column, values of an OR are one set; those of an AND may be in different cells.
    RowCondition other = column("a", point("z"));
    assertThat(anyOf(a, b, other))
        .isEqualTo(new AnyOf(List.of(column("a", point("x").union(point("z"))), b)));
    assertThat(all(a, other)).isEqualTo(new All(List.of(a, other)));
    // Implied parts say nothing new.
    RowCondition exists = column("a", ValueRanges.ALL);
    assertThat(all(exists, a)).isEqualTo(a);
    assertThat(all(a, anyOf(exists, b))).isEqualTo(a);
    assertThat(anyOf(exists, all(a, b))).isEqualTo(exists);
  }

  @Test
  void constructorsRefuseOtherForms() {
    RowCondition a = column("a", point("x"));
    RowCondition b = column("b", point("x"));
    assertRefused(() -> new Column(b("f"), b("a"), ValueRanges.NONE));
    assertRefused(() -> new All(List.of(a)));
    assertRefused(() -> new AnyOf(List.of(a)));
    assertRefused(() -> new All(List.of(a, RowCondition.ANY)));
    assertRefused(() -> new AnyOf(List.of(a, RowCondition.NONE)));
    assertRefused(() -> new All(List.of(a, all(a, b))));
    assertRefused(() -> new AnyOf(List.of(b, a, column("a", point("y")))));
  }

  @Test
  void longListsAreWeaker() {
    RowCondition[] columns =
        IntStream.rangeClosed(0, RowCondition.PARTS_MAX)
            .mapToObj(i -> column("" + i, ValueRanges.ALL))
            .toArray(RowCondition[]::new);
    assertThat(anyOf(columns)).isEqualTo(RowCondition.ANY);
    assertThat(((All) all(columns)).parts())
        .hasSize(RowCondition.PARTS_MAX)
        .doesNotContain(columns[RowCondition.PARTS_MAX]);
    // Values of one column have no limit.
    RowCondition[] values =
        IntStream.range(0, 10_000)
            .mapToObj(i -> column("a", point("" + i)))
            .toArray(RowCondition[]::new);
    assertThat(((Column) anyOf(values)).values().ranges()).hasSize(10_000);
  }

  @Test
  void textsAreForPeople() {
    RowCondition a = column("a", point("x"));
    RowCondition b = column("b", ValueRanges.between(b("x"), true, b("y"), false));
    RowCondition c = column("c", point("x").union(point("z")));
    assertThat(RowCondition.ANY).hasToString("any row");
    assertThat(RowCondition.NONE).hasToString("no row");
    assertThat(column("a", ValueRanges.ALL)).hasToString("f:a exists");
    assertThat(c).hasToString("f:c in \"x\" or \"z\"");
    assertThat(anyOf(a, b)).hasToString("f:a = \"x\" or f:b in [\"x\", \"y\")");
    assertThat(all(anyOf(a, b), c))
        .hasToString("(f:a = \"x\" or f:b in [\"x\", \"y\")) and (f:c in \"x\" or \"z\")");
  }

  private static Modelled draw(Random random, int depth) {
    if (depth == 0) {
      if (random.nextInt(8) == 0) {
        return random.nextBoolean()
            ? new Modelled(RowCondition.ANY, row -> true)
            : new Modelled(RowCondition.NONE, row -> false);
      }
      String name = "abc".substring(random.nextInt(3)).substring(0, 1);
      ValueRanges values = values(random);
      return new Modelled(
          column(name, values),
          row ->
              row.stream()
                  .anyMatch(put -> put.column.equals(name) && values.contains(b(put.value))));
    }
    List<Modelled> parts = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      parts.add(draw(random, random.nextInt(depth)));
    }
    List<RowCondition> conditions = parts.stream().map(Modelled::condition).toList();
    return random.nextBoolean()
        ? new Modelled(
            RowCondition.all(conditions), row -> parts.stream().allMatch(p -> p.model.test(row)))
        : new Modelled(
            RowCondition.anyOf(conditions), row -> parts.stream().anyMatch(p -> p.model.test(row)));
  }

  private static ValueRanges values(Random random) {
    byte[] value = b(VALUES[random.nextInt(VALUES.length)]);
    return switch (random.nextInt(4)) {
      case 0 -> ValueRanges.of(value);
      case 1 -> ValueRanges.of(value).complement();
      case 2 -> ValueRanges.prefix(value);
      default -> ValueRanges.lessThan(value);
    };
  }

  private static Set<Put> row(Random random) {
    Set<Put> row = new HashSet<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      row.add(
          new Put(
              "abc".substring(random.nextInt(3)).substring(0, 1),
              VALUES[random.nextInt(VALUES.length)]));
    }
    return row;
  }

  private static boolean isFulfilled(RowCondition condition, Set<Put> row) {
    return condition.isFulfilled(
        column ->
            row.stream()
                .anyMatch(
                    put ->
                        put.column.equals(Bytes.utf8(column.qualifier()))
                            && column.values().contains(b(put.value))));
  }

  private static void assertRefused(Runnable made) {
    assertThatThrownBy(made::run).isInstanceOf(IllegalArgumentException.class);
  }

  private static RowCondition column(String qualifier, ValueRanges values) {
    return RowCondition.column(b("f"), b(qualifier), values);
  }

  private static RowCondition all(RowCondition... parts) {
    return RowCondition.all(List.of(parts));
  }

  private static RowCondition anyOf(RowCondition... parts) {
    return RowCondition.anyOf(List.of(parts));
  }

  private static ValueRanges point(String text) {
    return ValueRanges.of(b(text));
  }

  private static byte[] b(String text) {
    return Bytes.utf8(text);
  }
}
