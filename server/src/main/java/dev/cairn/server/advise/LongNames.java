package dev.cairn.server.advise;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Finds families whose names take more room in files than their values. */
final class LongNames implements Check {
  /** Of each key: lengths, timestamp, type. */
  private static final int KEY_OVERHEAD = 12;

  /** Of each cell: the lengths of key and value. */
  private static final int CELL_OVERHEAD = 8;

  /** Shorter names are not worth a change. */
  private static final int NAMES_MIN = 32;

  private static final double TIMES_MIN = 2;
  private static final int CELLS_MIN = 10_000;

  /** The bytes that an encoding needs for the differences between two keys. */
  private static final int ENCODED_KEY = 8;

  @Override
  public List<Finding> findings(Observation seen) {
    List<Finding> findings = new ArrayList<>();
    for (StoreFigures files : seen.facts().families()) {
      FamilySchema family = Families.of(seen, files);
      if (files.cells() < CELLS_MIN || !family.dataBlockEncoding().equals("NONE")) {
        continue;
      }
      double names = Math.max(0, (double) files.keyBytes() / files.cells() - KEY_OVERHEAD);
      double value = (double) files.valueBytes() / files.cells();
      if (names >= NAMES_MIN && names >= TIMES_MIN * value) {
        findings.add(finding(seen, files, names, value));
      }
    }
    return findings;
  }

  private static Finding finding(Observation seen, StoreFigures files, double names, double value) {
    double before = names + value + KEY_OVERHEAD + CELL_OVERHEAD;
    // An encoding stores a row's name once; qualifiers differ, so half of the rest stays.
    double cells = Math.max(1, files.cellsPerRow());
    double after = Math.min(before, value + ENCODED_KEY + names / cells + names / 4);
    return new Finding(
        Rule.LONG_NAMES,
        String.format(
            Locale.ROOT,
            "In family %s, row, family and qualifier take %.0f bytes of a cell, and the value %.0f."
                + " Each cell repeats its names.",
            files.family(),
            names,
            value),
        List.of(
            Evidence.bytes("names of a cell", names),
            Evidence.bytes("value of a cell", value),
            Evidence.count("cells", files.cells())),
        List.of(
            new Proposal(
                "Encode blocks, so that files store equal parts of keys once. Give the family one"
                    + " letter, and qualifiers a few.",
                List.of(
                    ShellText.alter(
                        seen.facts().schema(),
                        files.family(),
                        Map.of("DATA_BLOCK_ENCODING", "FAST_DIFF")),
                    ShellText.majorCompact(seen.facts().schema(), files.family())),
                new Effect("bytes of a cell in a file", Effect.Unit.BYTES, before, after))));
  }
}
