package dev.cairn.server.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the worst check decides the status, and that the report has every result. */
class HealthMonitorTest {
  private final HealthMonitor monitor = new HealthMonitor();

  private record Fixed(String name, HealthResult check) implements HealthCheck {}

  @Test
  void theWorstCheckDecides() {
    assertThat(monitor.report().status()).isEqualTo(HealthStatus.OK);
    monitor.add(new Fixed("disk", HealthResult.ok("There is room.")));
    assertThat(monitor.report().status()).isEqualTo(HealthStatus.OK);
    monitor.add(new Fixed("regions", HealthResult.warn("One is closed.")));
    assertThat(monitor.report().status()).isEqualTo(HealthStatus.WARN);
    monitor.add(new Fixed("log", HealthResult.fail("It stalls.")));
    assertThat(monitor.report().status()).isEqualTo(HealthStatus.FAIL);
  }

  @Test
  void theTextHasALinePerCheck() {
    monitor.add(new Fixed("disk", HealthResult.ok("There is room.")));
    monitor.add(new Fixed("regions", HealthResult.warn("One is closed.\nSo is another.")));
    assertThat(monitor.report().text())
        .isEqualTo(
            """
            warn
            disk     ok    There is room.
            regions  warn  One is closed. So is another.
            """);
  }

  @Test
  void theJsonHasTheSameResults() throws IOException {
    monitor.add(new Fixed("disk", HealthResult.fail("No room for \"a\".")));
    HealthReport report = monitor.report();
    assertThat(report.json())
        .isEqualTo(
            "{\"status\":\"fail\",\"checks\":[{\"name\":\"disk\",\"status\":\"fail\","
                + "\"message\":\"No room for \\\"a\\\".\"}]}");
    assertThat(HealthReport.parse(report.json())).isEqualTo(report);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ok", "[]", "{}", "{\"checks\":[1]}", "{\"checks\":[{}]}"})
  void otherTextIsNotAReport(String text) {
    assertThatThrownBy(() -> HealthReport.parse(text)).isInstanceOf(IOException.class);
  }

  @Test
  void aFailingCheckBecomesAWarning() {
    monitor.add(new Fixed("disk", HealthResult.ok("There is room.")));
    monitor.add(
        new HealthCheck() {
          @Override
          public String name() {
            return "log";
          }

          @Override
          public HealthResult check() throws IOException {
            throw new IOException("nobody answers");
          }
        });
    HealthReport report = monitor.report();
    assertThat(report.status()).isEqualTo(HealthStatus.WARN);
    assertThat(report.checks().get(0).result().status()).isEqualTo(HealthStatus.OK);
    assertThat(report.checks().get(1).result().message()).contains("nobody answers");
  }

  @Test
  void namesAreUnique() {
    monitor.add(new Fixed("disk", HealthResult.ok("")));
    assertThatThrownBy(() -> monitor.add(new Fixed("disk", HealthResult.ok(""))))
        .hasMessageContaining("disk");
  }
}
