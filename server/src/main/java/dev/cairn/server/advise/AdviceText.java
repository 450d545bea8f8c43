package dev.cairn.server.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes advice as text. Stateless. */
public final class AdviceText {
  private AdviceText() {}

  /** Returns the lines. */
  public static List<String> lines(Advice advice) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %s (%,d sampled calls in %,d s)",
            advice.table(),
            verdict(advice),
            advice.calls(),
            advice.seconds()));
    for (Finding finding : advice.findings()) {
      lines.add("");
      lines.add("  " + finding.rule().title() + " [" + finding.rule().id() + "]");
      lines.add("    " + finding.sentence());
      for (Evidence one : finding.evidence()) {
        lines.add("    - " + one.what() + ": " + number(one.unit(), one.value()));
      }
      for (Proposal proposal : finding.proposals()) {
        lines.add("    => " + proposal.sentence());
        lines.add("       " + effect(proposal.effect()));
        proposal.commands().forEach(command -> lines.add("       " + command));
      }
    }
    if (!advice.gaps().isEmpty()) {
      lines.add("");
      advice.gaps().forEach(gap -> lines.add("  " + gap));
    }
    return lines;
  }

  /** Returns the result in a few words. */
  private static String verdict(Advice advice) {
    int findings = advice.findings().size();
    return switch (advice.verdict()) {
      case FINDINGS -> findings == 1 ? "1 finding" : findings + " findings";
      case NOTHING_TO_DO -> "nothing to do";
      case TOO_FEW_CALLS -> "too few calls to judge it";
    };
  }

  /** Returns what a proposal changes, for example {@code share of writes: 100 % -> 13 %}. */
  public static String effect(Effect effect) {
    return effect.measure()
        + ": "
        + number(effect.unit(), effect.before())
        + " -> "
        + number(effect.unit(), effect.after());
  }

  /** Returns a number with its unit. */
  public static String number(Effect.Unit unit, double value) {
    return switch (unit) {
      case SHARE -> String.format(Locale.ROOT, "%.0f %%", 100 * value);
      case COUNT ->
          value >= 100 || value == Math.rint(value)
              ? String.format(Locale.ROOT, "%,.0f", value)
              : String.format(Locale.ROOT, "%.2f", value);
      case BYTES -> bytes(value);
    };
  }

  private static String bytes(double value) {
    String[] units = {"bytes", "KB", "MB", "GB", "TB"};
    int unit = 0;
    double scaled = value;
    while (scaled >= 1024 && unit < units.length - 1) {
      scaled /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", scaled, units[unit]);
  }
}
