package dev.cairn.studies.indexes;

/**
 * A user.
 *
 * @param id the row key
 */
record User(String id, String name, String city) {
  /** Returns the name of a user, which never changes. */
  static String name(String id) {
    return "Name of " + id;
  }
}
