package dev.cairn.studies.indexes;

/**
 * Asks for the users of a city, in the order of their row keys.
 *
 * @param counted whether only their number is asked for
 */
record CityQuery(String city, boolean counted) {
  /** The number of users of a city. */
  record Count(String city, long users) {}

  /** Asks for the users. */
  static CityQuery users(String city) {
    return new CityQuery(city, false);
  }

  /** Asks for their number. */
  static CityQuery count(String city) {
    return new CityQuery(city, true);
  }
}
