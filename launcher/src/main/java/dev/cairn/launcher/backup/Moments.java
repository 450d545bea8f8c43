package dev.cairn.launcher.backup;

import dev.cairn.launcher.output.LauncherException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads moments that users write. */
final class Moments {
  static final String FORMS =
      "milliseconds since 1970, 2026-11-23T17:05:00Z, 2026-11-23T17:05:00 (local time), or 10m for"
          + " ten minutes ago (s, m, h, d)";

  private static final Pattern AGO = Pattern.compile("([0-9]{1,9})([smhd])");

  private Moments() {}

  /**
   * Returns milliseconds since 1970.
   *
   * @param option the option, for the error message
   */
  static long millis(String option, String text, long nowMillis) {
    if (text.matches("[0-9]{1,18}")) {
      return Long.parseLong(text);
    }
    Matcher ago = AGO.matcher(text);
    if (ago.matches()) {
      return nowMillis - duration(option, text).toMillis();
    }
    try {
      return Instant.parse(text).toEpochMilli();
    } catch (DateTimeParseException e) {
      try {
        return LocalDateTime.parse(text.replace(' ', 'T'))
            .atZone(ZoneId.systemDefault())
            .toInstant()
            .toEpochMilli();
      } catch (DateTimeException again) {
        throw new LauncherException(option + " is <" + text + ">: write " + FORMS, again);
      }
    }
  }

  /** Returns a length of time such as {@code 7d}. */
  static Duration duration(String option, String text) {
    Matcher matcher = AGO.matcher(text);
    if (!matcher.matches()) {
      throw new LauncherException(
          option + " is <" + text + ">: write a number and s, m, h or d, such as 7d");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
