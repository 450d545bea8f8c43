package dev.cairn.server.page;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Writes numbers for people: sizes in KiB and MiB, times in UTC. */
final class Format {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Format() {}

  static String shown(Value.Amount amount) {
    double number = amount.number();
    return switch (amount.kind()) {
      case BYTES -> size(number);
      case RATIO -> String.format(Locale.ROOT, number == 1 ? "%.0f %%" : "%.1f %%", number * 100);
      case PER_SECOND -> (number < 10 ? decimal(number) : count(Math.round(number))) + "/s";
      case MILLIS -> span((long) number);
      case TIME -> TIME.format(Instant.ofEpochMilli((long) number));
      default -> count((long) number);
    };
  }

  /** Returns a moment in the form that machines read. */
  static String iso(double millis) {
    return Instant.ofEpochMilli((long) millis).toString();
  }

  private static String decimal(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String size(double bytes) {
    double size = bytes;
    int unit = 0;
    while (size >= 1024 && unit < UNITS.length - 1) {
      size /= 1024;
      unit++;
    }
    return (unit == 0 ? count((long) size) : decimal(size)) + " " + UNITS[unit];
  }

  private static String span(long millis) {
    if (millis < 1000) {
      return millis + " ms";
    }
    Duration span = Duration.ofMillis(millis);
    if (millis < 60_000) {
      return decimal(millis / 1000.0) + " s";
    }
    if (span.toHours() == 0) {
      return span.toMinutes() + " min " + span.toSecondsPart() + " s";
    }
    return span.toDays() == 0
        ? span.toHours() + " h " + span.toMinutesPart() + " min"
        : span.toDays() + " d " + span.toHoursPart() + " h";
  }
}
