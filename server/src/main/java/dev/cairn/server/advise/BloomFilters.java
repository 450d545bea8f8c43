package dev.cairn.server.advise;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds families whose Bloom filter is missing, or that no read uses. */
final class BloomFilters implements Check {
  private static final double GETS_MIN = 0.1;

  /** With one file in a store, a filter only helps gets of absent rows. */
  private static final double FILES_MIN = 2;

  /** HBase's default rate of false answers. */
  private static final double FALSE_ANSWERS = 0.01;

  /** Bits of a key at that rate, as bytes. */
  private static final double KEY_BYTES = 1.2;

  /** Smaller filters are not worth a change. */
  private static final long KEYS_MIN = 1_000_000;

  @Override
  public List<Finding> findings(Observation seen) {
    List<Finding> findings = new ArrayList<>();
    if (seen.samples(call -> call.kind() != Kind.WRITE) < Observation.SAMPLES_MIN) {
      return findings;
    }
    double gets = seen.shareOfReads(Kind.GET);
    for (StoreFigures files : seen.facts().families()) {
      FamilySchema family = Families.of(seen, files);
      double filesOfStore = (double) files.files() / Math.max(1, files.stores());
      if (family.bloomType() == BloomType.NONE && gets >= GETS_MIN && filesOfStore >= FILES_MIN) {
        findings.add(missing(seen, family, gets, filesOfStore));
      } else if (family.bloomType() != BloomType.NONE
          && seen.requests(Kind.GET) == 0
          && keys(files) >= KEYS_MIN) {
        findings.add(useless(seen, family, files));
      }
    }
    return findings;
  }

  private static long keys(StoreFigures files) {
    return files.rows() > 0 ? files.rows() : files.cells();
  }

  private static Finding missing(
      Observation seen, FamilySchema family, double gets, double filesOfStore) {
    return new Finding(
        Rule.NO_BLOOM_FILTER,
        "Family "
            + family.nameAsString()
            + " has no Bloom filter, so a get searches all files of a store whose range has the"
            + " row.",
        List.of(
            Evidence.share("gets among the reads", gets),
            Evidence.count("files of a store, on average", filesOfStore)),
        List.of(
            new Proposal(
                "Add a Bloom filter of rows; files get it when they are written or compacted.",
                List.of(
                    ShellText.alter(
                        seen.facts().schema(), family.nameAsString(), Map.of("BLOOMFILTER", "ROW")),
                    ShellText.majorCompact(seen.facts().schema(), family.nameAsString())),
                new Effect(
                    "files in which a get searches",
                    Effect.Unit.COUNT,
                    filesOfStore,
                    1 + FALSE_ANSWERS * (filesOfStore - 1)))));
  }

  private static Finding useless(Observation seen, FamilySchema family, StoreFigures files) {
    return new Finding(
        Rule.USELESS_BLOOM_FILTER,
        "All reads are scans, which do not use the Bloom filter of family "
            + family.nameAsString()
            + ". Conditional writes and increments use it: check whether there are any.",
        List.of(
            Evidence.count("sampled reads", seen.samples(call -> call.kind() != Kind.WRITE)),
            Evidence.share("gets among the reads", 0),
            Evidence.count("keys in Bloom filters", keys(files))),
        List.of(
            new Proposal(
                "Write files without the filter, which takes room in files and cache.",
                List.of(
                    ShellText.alter(
                        seen.facts().schema(),
                        family.nameAsString(),
                        Map.of("BLOOMFILTER", "NONE"))),
                new Effect(
                    "bytes of Bloom filters", Effect.Unit.BYTES, KEY_BYTES * keys(files), 0))));
  }
}
