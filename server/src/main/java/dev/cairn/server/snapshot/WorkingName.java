package dev.cairn.server.snapshot;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a directory in {@code .hbase-snapshot/.tmp}: {@code snapshot~epoch~procedure}. No
 * other attempt ever has the same name, so a master that was replaced cannot publish what its
 * successor makes. A snapshot's own name has no {@code ~}.
 *
 * @param epoch the epoch of the master that works there
 * @param attempt a number that the master uses once
 */
record WorkingName(String snapshot, long epoch, long attempt) {
  private static final Pattern FORM = Pattern.compile("([^~]+)~(\\d{1,18})~(\\d{1,18})");

  /** Reads a directory's name; empty if something else made the directory. */
  static Optional<WorkingName> parse(String name) {
    Matcher matcher = FORM.matcher(name);
    return matcher.matches()
        ? Optional.of(
            new WorkingName(
                matcher.group(1),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3))))
        : Optional.empty();
  }

  /** Returns the name under which the directory is deleted. */
  WorkingName swept() {
    return new WorkingName("swept-" + snapshot, epoch, attempt);
  }

  @Override
  public String toString() {
    return snapshot + "~" + epoch + "~" + attempt;
  }
}
