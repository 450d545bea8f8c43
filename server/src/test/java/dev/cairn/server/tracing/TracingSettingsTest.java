package dev.cairn.server.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.SiteConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TracingSettingsTest {
  @Test
  void thereIsNoTracingWithoutAnEndpoint() {
    assertThat(TracingSettings.of(new SiteConfig(Map.of()))).isEmpty();
    assertThat(TracingSettings.of(config(" "))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "http://collector:4318, http://collector:4318/v1/traces",
    "https://collector/, https://collector/v1/traces",
    "http://[::1]:4318/other/path, http://[::1]:4318/other/path"
  })
  void theUsualPathIsTheDefault(String text, String endpoint) {
    assertThat(TracingSettings.of(config(text)).orElseThrow().endpoint()).hasToString(endpoint);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:4318",
        "collector",
        "grpc://collector:4317",
        "http://",
        "http://a b",
        "http://c/?x=1"
      })
  void otherEndpointsAreRefused(String text) {
    assertThatThrownBy(() -> TracingSettings.of(config(text)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cairn.tracing.endpoint is " + text)
        .hasMessageContaining("http://127.0.0.1:4318");
  }

  private static SiteConfig config(String endpoint) {
    return new SiteConfig(Map.of("cairn.tracing.endpoint", endpoint));
  }
}
