package dev.cairn.server.process.health;

import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Checks for settings and table attributes that unexpectedly have no effect.
 *
 * @param warnings returns a warning for each of them
 */
public record SettingsHealth(Supplier<List<String>> warnings) implements HealthCheck {
  private static final int SHOWN_MAX = 10;

  @Override
  public String name() {
    return "settings";
  }

  @Override
  public HealthResult check() {
    List<String> all = warnings.get();
    if (all.isEmpty()) {
      return HealthResult.ok("All settings have the expected effect.");
    }
    String shown = all.stream().limit(SHOWN_MAX).collect(Collectors.joining("\n"));
    int others = all.size() - SHOWN_MAX;
    return HealthResult.warn(others > 0 ? shown + "\nAnd " + others + " more." : shown);
  }
}
