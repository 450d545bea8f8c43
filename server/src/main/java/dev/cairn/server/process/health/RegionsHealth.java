package dev.cairn.server.process.health;

import dev.cairn.server.health.HealthCheck;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.master.Master;
import dev.cairn.server.master.assignment.Assignments.Missed;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Checks that all regions that should be open are open. A region may be closed temporarily.
 *
 * @param master knows all regions
 */
public record RegionsHealth(Master master) implements HealthCheck {
  private static final int NAMED_MAX = 3;

  @Override
  public String name() {
    return "regions";
  }

  @Override
  public HealthResult check() throws IOException {
    return result(master.regionsNotOpen());
  }

  /** Returns the result for the regions that are not served. */
  public static HealthResult result(List<Missed> notOpen) {
    if (notOpen.isEmpty()) {
      return HealthResult.ok("All regions are open.");
    }
    String names =
        notOpen.stream()
            .limit(NAMED_MAX)
            .map(missed -> missed.region().regionNameAsString())
            .collect(Collectors.joining(" "));
    String message =
        notOpen.size()
            + (notOpen.size() == 1 ? " region is" : " regions are")
            + " not open: "
            + names
            + (notOpen.size() > NAMED_MAX ? " …" : "")
            + reasons(notOpen);
    return notOpen.stream().anyMatch(missed -> missed.region().table().isMeta())
        ? HealthResult.fail(message)
        : HealthResult.warn(message);
  }

  /** Returns the known reasons, each once, with the number of their regions. */
  private static String reasons(List<Missed> notOpen) {
    Map<String, Long> known =
        notOpen.stream()
            .flatMap(missed -> missed.reason().stream())
            .collect(
                Collectors.groupingBy(reason -> reason, LinkedHashMap::new, Collectors.counting()));
    if (known.isEmpty()) {
      return " If this persists, see the log for the cause.";
    }
    StringBuilder text = new StringBuilder();
    known.entrySet().stream()
        .limit(NAMED_MAX)
        .forEach(
            one ->
                text.append("\n")
                    .append(one.getValue())
                    .append(one.getValue() == 1 ? " region: " : " regions: ")
                    .append(one.getKey()));
    return known.size() > NAMED_MAX ? text.append("\n…").toString() : text.toString();
  }
}
