package dev.cairn.server.traffic;

import dev.cairn.server.traffic.heatmap.HeatMap;
import dev.cairn.server.traffic.heatmap.TrafficMetric;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Function;

/** Reads the parameters of a request for a heat map. Stateless. */
public final class HeatMapQuery {
  private static final Duration DEFAULT_SPAN = Duration.ofHours(1);
  private static final int DEFAULT_BUCKETS = 128;
  private static final int DEFAULT_COLUMNS = 360;
  private static final int MAX = 2_000;

  /** The most cells. So many take a few MB in memory and in the answer. */
  private static final int CELLS_MAX = 400_000;

  private HeatMapQuery() {}

  /**
   * Returns the query.
   *
   * @param parameters returns the value of a parameter; all are optional: {@code metric} ({@code
   *     reads}); {@code from} and {@code to}, as milliseconds since 1970, as ISO 8601 ({@code
   *     2026-01-31T10:00:00Z}) or before now ({@code -6h}, {@code -30m}, {@code -7d}) (the last
   *     hour); {@code buckets} and {@code columns}, the most of each; their product is limited;
   *     {@code low} and {@code high} rows, with {@code \xHH} for other bytes
   * @throws IllegalArgumentException naming the parameter that is wrong
   */
  public static HeatMap.Query of(
      String table, Function<String, Optional<String>> parameters, long nowMillis) {
    String metric = parameters.apply("metric").orElse(TrafficMetric.READS.label());
    long to = parameters.apply("to").map(text -> millis("to", text, nowMillis)).orElse(nowMillis);
    long from =
        parameters
            .apply("from")
            .map(text -> millis("from", text, nowMillis))
            .orElse(to - DEFAULT_SPAN.toMillis());
    if (from < 0 || to <= from) {
      throw new IllegalArgumentException("from must be before to");
    }
    int buckets = number("buckets", parameters, 4, DEFAULT_BUCKETS);
    int columns = number("columns", parameters, 1, DEFAULT_COLUMNS);
    if (buckets * columns > CELLS_MAX) {
      throw new IllegalArgumentException(
          "buckets times columns must be at most "
              + CELLS_MAX
              + ", not "
              + buckets
              + " times "
              + columns);
    }
    return new HeatMap.Query(
        table,
        TrafficMetric.of(metric)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "metric must be one of " + TrafficMetric.labels() + ", not " + metric)),
        from,
        to,
        parameters.apply("low").map(HeatMapQuery::row).orElse(new byte[0]),
        parameters.apply("high").map(HeatMapQuery::row).orElse(new byte[0]),
        buckets,
        columns);
  }

  private static int number(
      String name, Function<String, Optional<String>> parameters, int least, int otherwise) {
    Optional<String> text = parameters.apply(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(text.get());
      if (number >= least && number <= MAX) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The error below names the parameter.
    }
    throw new IllegalArgumentException(
        name + " must be " + least + " to " + MAX + ", not " + text.get());
  }

  private static long millis(String name, String text, long nowMillis) {
    try {
      if (text.matches("-[0-9]{1,6}[mhd]")) {
        long count = Long.parseLong(text.substring(1, text.length() - 1));
        return nowMillis
            - switch (text.charAt(text.length() - 1)) {
              case 'm' -> Duration.ofMinutes(count).toMillis();
              case 'h' -> Duration.ofHours(count).toMillis();
              default -> Duration.ofDays(count).toMillis();
            };
      }
      return text.matches("[0-9]{1,15}")
          ? Long.parseLong(text)
          : Instant.parse(text).toEpochMilli();
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new IllegalArgumentException(
          name
              + " must be milliseconds since 1970, a moment like 2026-01-31T10:00:00Z, or a time"
              + " before now like -6h; not "
              + text,
          e);
    }
  }

  /** Returns the row of a text with {@code \xHH} for other bytes. */
  static byte[] row(String text) {
    ByteArrayOutputStream row = new ByteArrayOutputStream();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\\' && i + 3 < bytes.length && bytes[i + 1] == 'x' && isHex(bytes, i + 2)) {
        row.write(16 * digit(bytes[i + 2]) + digit(bytes[i + 3]));
        i += 3;
      } else {
        row.write(bytes[i]);
      }
    }
    return row.toByteArray();
  }

  private static boolean isHex(byte[] bytes, int at) {
    return digit(bytes[at]) >= 0 && digit(bytes[at + 1]) >= 0;
  }

  private static int digit(byte character) {
    return Character.digit(character, 16);
  }
}
