package dev.cairn.server.advise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AdviceTextTest {
  private static final String GAP = "Too few calls were seen.";

  private static Advice advice(String table, String... gaps) {
    return new Advice(table, 0, 1, List.of(), List.of(gaps));
  }

  @Test
  void whatCouldNotBeJudgedOfSeveralTablesIsToldOnce() {
    List<String> lines =
        AdviceText.lines(List.of(advice("a", GAP), advice("b", GAP, "Another."), advice("c")));
    assertThat(lines)
        .containsExactly(
            "a: too few calls to judge it (0 sampled calls in 1 s)",
            "",
            "b: too few calls to judge it (0 sampled calls in 1 s)",
            "",
            "c: too few calls to judge it (0 sampled calls in 1 s)",
            "",
            "a, b: " + GAP,
            "b: Another.");
  }

  @Test
  void ofOneTableItNeedsNoName() {
    assertThat(AdviceText.lines(List.of(advice("a", GAP))))
        .containsExactly("a: too few calls to judge it (0 sampled calls in 1 s)", "", "  " + GAP);
  }
}
