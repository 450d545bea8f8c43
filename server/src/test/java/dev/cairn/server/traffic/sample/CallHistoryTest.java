package dev.cairn.server.traffic.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Some calls of each table stay, in the order of time, and stand for all. */
class CallHistoryTest {
  private final CallHistory history = new CallHistory();

  private void second(String table, int second, int calls) {
    List<LoadSample> samples = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      byte[] row = Bytes.utf8(String.format("%06d", second));
      samples.add(new LoadSample(Kind.WRITE, row, row, row, 1, 1, 0, 10, 0));
    }
    history.add(table, samples, second * 1_000L);
  }

  private double requests(String table) {
    return history.steps(table).stream()
        .flatMap(step -> step.calls().stream())
        .mapToDouble(LoadSample::requests)
        .sum();
  }

  @Test
  void memoryIsBoundedAndSumsStay() {
    for (int second = 0; second < 5_000; second++) {
      second("t", second, 100);
    }
    List<CallStep> steps = history.steps("t");
    assertThat(steps).hasSizeBetween(CallHistory.STEPS / 2, CallHistory.STEPS);
    assertThat(steps).allSatisfy(step -> assertThat(step.calls()).hasSize(CallHistory.SAMPLES));
    assertThat(requests("t")).isCloseTo(500_000, within(1.0));
  }

  @Test
  void stepsAreOrderedInTime() {
    for (int second = 0; second < 1_000; second++) {
      second("t", second, 3);
    }
    String last = "";
    for (CallStep step : history.steps("t")) {
      List<String> rows =
          step.calls().stream().map(call -> Bytes.utf8(call.row())).sorted().toList();
      assertThat(rows.get(0)).isGreaterThan(last);
      last = rows.get(rows.size() - 1);
    }
  }

  @Test
  void theTableThatWasSilentLongestGivesWay() {
    for (int i = 0; i <= CallHistory.TABLES_MAX; i++) {
      second("t" + i, i, 1);
      second("t0", i, 1);
    }
    assertThat(history.tables())
        .hasSize(CallHistory.TABLES_MAX)
        .contains("t0")
        .doesNotContain("t1");
    assertThat(history.steps("t1")).isEmpty();
  }

  @Test
  void failuresAndTimedPartsAreLeftOut() {
    byte[] row = Bytes.utf8("a");
    history.add("t", List.of(new LoadSample(Kind.FAILED, row, row, row, 0, 0, 0, 0, 0)), 1);
    assertThat(requests("t")).isZero();
  }
}
