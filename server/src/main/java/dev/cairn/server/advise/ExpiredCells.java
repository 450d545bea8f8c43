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

/** Finds files with many cells that expired long ago. */
final class ExpiredCells implements Check {
  private static final double SHARE_MIN = 0.25;

  /** Expired cells may stay for one more time to live, until the next compaction. */
  private static final int TTLS_MIN = 2;

  @Override
  public List<Finding> findings(Observation seen) {
    List<Finding> findings = new ArrayList<>();
    for (StoreFigures files : seen.facts().families()) {
      FamilySchema family = Families.of(seen, files);
      long ttl = family.timeToLiveMillis();
      if (ttl == FamilySchema.FOREVER_MILLIS || files.oldestPutMillis() == Long.MAX_VALUE) {
        continue;
      }
      long age = seen.facts().nowMillis() - files.oldestPutMillis();
      if (age / TTLS_MIN >= ttl && files.expiredBytes() >= SHARE_MIN * files.fileBytes()) {
        findings.add(finding(seen, files, ttl, age));
      }
    }
    return findings;
  }

  private static Finding finding(Observation seen, StoreFigures files, long ttl, long age) {
    List<Evidence> evidence =
        new ArrayList<>(
            List.of(
                Evidence.bytes("files of the family", files.fileBytes()),
                Evidence.bytes("expired cells among them, estimated", files.expiredBytes()),
                Evidence.count("days since the oldest put", days(age))));
    if (files.lastMajorMillis() > 0) {
      evidence.add(
          Evidence.count(
              "days since the last compaction of all files",
              days(seen.facts().nowMillis() - files.lastMajorMillis())));
    }
    return new Finding(
        Rule.EXPIRED_CELLS,
        String.format(
            Locale.ROOT,
            "Cells of family %s live %.1f days, but %.0f %% of its files are older: no compaction"
                + " has reached them.",
            files.family(),
            days(ttl),
            100.0 * files.expiredBytes() / Math.max(1, files.fileBytes())),
        evidence,
        List.of(
            new Proposal(
                "Compact all files now, and as often as cells expire.",
                List.of(
                    ShellText.majorCompact(seen.facts().schema(), files.family()),
                    ShellText.alter(seen.facts().schema(), files.family(), Map.of())
                        .replaceFirst(
                            "}$",
                            ", CONFIGURATION => {'hbase.hregion.majorcompaction' => '"
                                + Math.max(3_600_000L, ttl)
                                + "'}}")),
                new Effect(
                    "bytes of files",
                    Effect.Unit.BYTES,
                    files.fileBytes(),
                    files.fileBytes() - files.expiredBytes()))));
  }

  private static double days(long millis) {
    return millis / 86_400_000.0;
  }
}
