package dev.cairn.server.page;

import java.util.regex.Pattern;

/** Checks the ids of pages, sections and columns, which are parts of addresses and of JSON. */
final class Ids {
  private static final Pattern FORM = Pattern.compile("[a-z][A-Za-z0-9-]*");

  private Ids() {}

  /** Refuses an id that is not a lower-case letter followed by letters, digits and hyphens. */
  static void check(String id) {
    if (!FORM.matcher(id).matches()) {
      throw new IllegalArgumentException("Not an id: " + id);
    }
  }
}
