package dev.cairn.server.advise;

/**
 * The effect of a proposal.
 *
 * @param measure what was computed, for example {@code busiest region's share of the writes}
 * @param unit the unit of the numbers
 * @param before the present number
 * @param after the number with the proposal
 */
public record Effect(String measure, Unit unit, double before, double after) {
  /** Units of effects and evidence. */
  public enum Unit {
    /** A share, from 0 to 1. */
    SHARE,
    /** Bytes. */
    BYTES,
    /** A number of things. */
    COUNT
  }
}
