package dev.cairn.tools.doctor;

import dev.cairn.tools.doctor.Finding.Area;
import dev.cairn.tools.doctor.Finding.Level;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * Prints findings for people.
 *
 * @param out receives the text
 */
public record DiagnosisText(PrintWriter out) {
  /** Prints all findings, by area, and the number of problems. */
  public void print(Diagnosis diagnosis) {
    for (Area area : Area.values()) {
      List<Finding> some =
          diagnosis.findings().stream().filter(finding -> finding.area() == area).toList();
      if (!some.isEmpty()) {
        out.println(area.title());
        some.forEach(this::print);
        out.println();
      }
    }
    long problems = count(diagnosis, Level.PROBLEM);
    long advice = count(diagnosis, Level.ADVICE);
    out.println(
        (problems == 0 ? "No problem" : problems == 1 ? "1 problem" : problems + " problems")
            + (advice == 0
                ? "."
                : advice == 1 ? "; 1 advice." : "; " + advice + " pieces of advice."));
  }

  private void print(Finding finding) {
    out.printf("  %-8s %s%n", finding.level().name().toLowerCase(Locale.ROOT), finding.what());
    detail("where", finding.where());
    detail("do", finding.remedy());
  }

  private void detail(String name, String text) {
    if (!text.isEmpty()) {
      out.printf("           %s: %s%n", name, text);
    }
  }

  private static long count(Diagnosis diagnosis, Level level) {
    return diagnosis.findings().stream().filter(finding -> finding.level() == level).count();
  }
}
