package dev.cairn.tools.overview;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.tools.overview.ClusterOverview.Node;
import dev.cairn.tools.overview.ClusterOverview.Role;
import dev.cairn.tools.overview.ClusterOverview.Task;
import dev.cairn.tools.overview.ClusterOverview.Transition;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the overview of a cluster with problems. */
class OverviewTextTest {
  private static final long NOW = 1_700_000_000_000L;

  private static final ClusterOverview CLUSTER =
      new ClusterOverview(
          "an-id",
          List.of(
              node(Role.ACTIVE_MASTER, "m,16000,1", Optional.empty(), 3),
              node(Role.REGION_SERVER, "a,16020,1", Optional.of("the name a is unknown"), 45_000)),
          List.of("b,16020,1"),
          List.of(
              new Task(
                  "Recovering the log of b,16020,1",
                  "Trying again after no space is left",
                  NOW - 2500)),
          List.of(new Transition("t,,1.abc.", "ABNORMALLY_CLOSED", Optional.of("b"), NOW - 500)),
          NOW,
          30_000);

  private static Node node(Role role, String name, Optional<String> unreachable, long skew) {
    return new Node(
        role, name, Optional.empty(), unreachable, Optional.of(skew), Optional.of(40_000L), "ok");
  }

  @Test
  void recoveriesAndTransitionsHaveTheirAge() {
    StringWriter text = new StringWriter();
    new OverviewText(new PrintWriter(text, true)).print(CLUSTER);
    assertThat(text.toString())
        .contains(
            "  dead           b,16020,1",
            "Recovering the log of b,16020,1, for 2.5 s: Trying again after no space is left",
            "t,,1.abc.: ABNORMALLY_CLOSED at b, for 0.5 s",
            "m,16000,1  clock +3 ms, session 40000 ms, health ok");
  }

  @Test
  void clocksAndNamesThatClientsCannotUseAreProblems() {
    assertThat(CLUSTER.problems()).hasSize(2);
    assertThat(CLUSTER.problems().get(0))
        .contains(
            "a,16020,1 cannot be reached from this machine under its name",
            "the name a is unknown");
    assertThat(CLUSTER.problems().get(1)).contains("a,16020,1", "45000 ms", "NTP");
    assertThat(OverviewJson.of(CLUSTER))
        .contains("\"reachable\": false", "\"clockSkewMillis\": 45000", "\"sinceMillis\"");
  }
}
