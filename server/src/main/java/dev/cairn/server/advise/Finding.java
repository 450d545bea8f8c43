package dev.cairn.server.advise;

import java.util.List;

/**
 * A problem of a table that costs speed or room.
 *
 * @param rule the kind of problem
 * @param sentence the problem
 * @param evidence the numbers
 * @param proposals the proposed changes, the best first
 */
public record Finding(
    Rule rule, String sentence, List<Evidence> evidence, List<Proposal> proposals) {
  /** Copies the lists. */
  public Finding {
    evidence = List.copyOf(evidence);
    proposals = List.copyOf(proposals);
  }

  /**
   * The effect of a proposal.
   *
   * @param measure the computed quantity, for example {@code busiest region's share of the writes}
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

  /**
   * A proposed change.
   *
   * @param sentence the change and its cost
   * @param commands lines for the shell; empty if only the application can do it
   * @param effect its effect, computed from the calls or files
   */
  public record Proposal(String sentence, List<String> commands, Effect effect) {
    /** Copies the list. */
    public Proposal {
      commands = List.copyOf(commands);
    }
  }
}
