package dev.cairn.server.advise;

/**
 * A number that supports a finding.
 *
 * @param what the meaning of the number
 * @param value the number
 */
public record Evidence(String what, Effect.Unit unit, double value) {
  static Evidence share(String what, double value) {
    return new Evidence(what, Effect.Unit.SHARE, value);
  }

  static Evidence bytes(String what, double value) {
    return new Evidence(what, Effect.Unit.BYTES, value);
  }

  static Evidence count(String what, double value) {
    return new Evidence(what, Effect.Unit.COUNT, value);
  }
}
