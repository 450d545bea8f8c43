package dev.cairn.tools.doctor;

import dev.cairn.tools.doctor.Finding.Area;
import dev.cairn.tools.doctor.Finding.Level;
import java.util.ArrayList;
import java.util.List;

/** Collects findings. Confined to one thread. */
public final class Diagnosis {
  private final List<Finding> findings = new ArrayList<>();

  /** Adds a fact. */
  public void ok(Area area, String what) {
    findings.add(new Finding(area, Level.OK, what, "", ""));
  }

  /** Adds advice. */
  public void advise(Area area, String what, String where, String remedy) {
    findings.add(new Finding(area, Level.ADVICE, what, where, remedy));
  }

  /** Adds a problem. */
  public void problem(Area area, String what, String where, String remedy) {
    findings.add(new Finding(area, Level.PROBLEM, what, where, remedy));
  }

  /** Returns all findings in the order in which they were added. */
  public List<Finding> findings() {
    return List.copyOf(findings);
  }

  /** Tells whether a problem was found. */
  public boolean hasProblem() {
    return findings.stream().anyMatch(finding -> finding.level() == Level.PROBLEM);
  }
}
