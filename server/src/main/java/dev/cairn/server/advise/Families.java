package dev.cairn.server.advise;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds tables with too many families, and families with too many versions. */
final class Families implements Check {
  /** The guide's advice is two or three. */
  private static final int FAMILIES_MAX = 3;

  /**
   * The number of VERSIONS from which versions are considered data; the guide warns of hundreds.
   */
  private static final int VERSIONS_MAX = 100;

  private static final int VERSIONS_PROPOSED = 10;

  @Override
  public List<Finding> findings(Observation seen) {
    List<Finding> findings = new ArrayList<>();
    int families = seen.facts().schema().families().size();
    if (families > FAMILIES_MAX) {
      findings.add(manyFamilies(seen, families));
    }
    for (FamilySchema family : seen.facts().schema().families()) {
      if (family.maxVersions() > VERSIONS_MAX) {
        findings.add(manyVersions(seen, family));
      }
    }
    return findings;
  }

  /** Returns the descriptor of a family; with defaults if it was just removed. */
  static FamilySchema of(Observation seen, StoreFigures files) {
    return seen.facts()
        .schema()
        .family(Bytes.utf8(files.family()))
        .orElseGet(() -> FamilySchema.of(files.family()));
  }

  private static Finding manyFamilies(Observation seen, int families) {
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(Evidence.count("families", families));
    seen.facts()
        .families()
        .forEach(one -> evidence.add(Evidence.bytes("files of " + one.family(), one.fileBytes())));
    return new Finding(
        Rule.MANY_FAMILIES,
        "The table has "
            + families
            + " families. All of them are flushed when a region's memory is full, which makes many"
            + " small files; and each read of a whole row asks the files of all.",
        evidence,
        List.of(
            new Proposal(
                "Put columns that are read together into one family, up to three families in all;"
                    + " tell columns apart by the first letter of the qualifier.",
                List.of(),
                new Effect(
                    "files of a flush of one region", Effect.Unit.COUNT, families, FAMILIES_MAX))));
  }

  private static Finding manyVersions(Observation seen, FamilySchema family) {
    return new Finding(
        Rule.MANY_VERSIONS,
        "Family "
            + family.nameAsString()
            + " keeps up to "
            + family.maxVersions()
            + " versions of a column. All of them are in one row, which never splits, and a read of"
            + " the newest one passes the others.",
        List.of(Evidence.count("versions that are kept", family.maxVersions())),
        List.of(
            new Proposal(
                "Keep few versions; put the time into the row or the qualifier if old values are"
                    + " data. Copy the old versions first: this command drops them.",
                List.of(
                    ShellText.alter(
                        seen.facts().schema(),
                        family.nameAsString(),
                        Map.of("VERSIONS", String.valueOf(VERSIONS_PROPOSED)))),
                new Effect(
                    "cells of a column, at most",
                    Effect.Unit.COUNT,
                    family.maxVersions(),
                    VERSIONS_PROPOSED))));
  }
}
