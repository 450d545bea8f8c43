package dev.cairn.server.advise;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds families whose blocks are much larger than the answers of gets. */
final class LargeBlocks implements Check {
  /** Scans gain from large blocks what gets lose, so gets must be most of the reads. */
  private static final double GETS_MIN = 0.8;

  private static final double TIMES_MIN = 32;
  private static final int BLOCK_MIN = 8 << 10;

  /** A block should hold about this many answers: smaller ones make the index large. */
  private static final int ANSWERS_OF_BLOCK = 8;

  /** The assumed cache size if it is unknown; smaller tables are considered cached. */
  private static final long CACHE_BYTES = 1L << 30;

  @Override
  public List<Finding> findings(Observation seen) {
    double gets = seen.requests(Kind.GET);
    long data = seen.facts().families().stream().mapToLong(StoreFigures::dataBytes).sum();
    long cache = seen.facts().cacheBytes() > 0 ? seen.facts().cacheBytes() : CACHE_BYTES;
    if (seen.samples(call -> call.kind() == Kind.GET) < Observation.SAMPLES_MIN
        || seen.shareOfReads(Kind.GET) < GETS_MIN
        || data <= cache) {
      return List.of();
    }
    double answer =
        seen.calls().filter(call -> call.kind() == Kind.GET).mapToDouble(call -> call.bytes()).sum()
            / gets;
    List<Finding> findings = new ArrayList<>();
    for (StoreFigures files : seen.facts().families()) {
      FamilySchema family = Families.of(seen, files);
      if (files.files() > 0
          && family.blockSize() > BLOCK_MIN
          && family.blockSize() >= TIMES_MIN * answer) {
        findings.add(finding(seen, family, answer, (double) cache / data));
      }
    }
    return findings;
  }

  private static Finding finding(
      Observation seen, FamilySchema family, double answer, double cached) {
    int block = BLOCK_MIN;
    while (block < ANSWERS_OF_BLOCK * answer) {
      block *= 2;
    }
    return new Finding(
        Rule.LARGE_BLOCKS,
        "Gets read blocks of "
            + family.blockSize()
            + " bytes of family "
            + family.nameAsString()
            + " for answers of "
            + Math.round(answer)
            + " bytes, and the table is larger than the block cache.",
        List.of(
            Evidence.share("gets among the reads", seen.shareOfReads(Kind.GET)),
            Evidence.bytes("answer of a get, on average", answer),
            Evidence.bytes("block", family.blockSize()),
            Evidence.share("part of the table that fits into the block cache", cached)),
        List.of(
            new Proposal(
                "Make blocks smaller. The index becomes larger, and compression a little weaker.",
                List.of(
                    ShellText.alter(
                        seen.facts().schema(),
                        family.nameAsString(),
                        Map.of("BLOCKSIZE", String.valueOf(block))),
                    ShellText.majorCompact(seen.facts().schema(), family.nameAsString())),
                new Effect(
                    "bytes that a get reads if the cache does not help",
                    Effect.Unit.BYTES,
                    family.blockSize(),
                    block))));
  }
}
