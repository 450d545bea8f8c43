package dev.cairn.server.advise;

import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes advice as text. Stateless. */
public final class AdviceText {
  private AdviceText() {}

  /** Returns the lines of all tables. Gaps follow at the end, each once with its tables. */
  public static List<String> lines(List<Advice> tables) {
    List<String> lines = new ArrayList<>();
    Map<String, List<String>> gaps = new LinkedHashMap<>();
    for (Advice advice : tables) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.addAll(lines(advice));
      advice
          .gaps()
          .forEach(gap -> gaps.computeIfAbsent(gap, text -> new ArrayList<>()).add(advice.table()));
    }
    if (!gaps.isEmpty()) {
      lines.add("");
    }
    gaps.forEach(
        (gap, names) ->
            lines.add(tables.size() == 1 ? "  " + gap : String.join(", ", names) + ": " + gap));
    return lines;
  }

  private static List<String> lines(Advice advice) {
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

  /** Returns the effect of a proposal, for example {@code share of writes: 100 % -> 13 %}. */
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
