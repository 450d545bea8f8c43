package dev.cairn.server.advise;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Finds complete indexes that no scan has used for at least a day. */
final class UnusedIndexes implements Check {
  /** Jobs that run each day use an index within this time. */
  static final long UNUSED_MILLIS_MIN = TimeUnit.HOURS.toMillis(25);

  @Override
  public List<Finding> findings(Observation seen) {
    TableFacts facts = seen.facts();
    if (!facts.isWhole() || seen.samples(call -> true) < Observation.SAMPLES_MIN) {
      return List.of();
    }
    return facts.indexes().stream()
        .filter(index -> index.isComplete() && index.uses() == 0)
        .filter(index -> facts.nowMillis() - index.sinceMillis() >= UNUSED_MILLIS_MIN)
        .filter(index -> isDeclared(index, facts.schema()))
        .map(index -> finding(facts, index))
        .toList();
  }

  private static boolean isDeclared(IndexFigures figures, TableSchema schema) {
    return schema.indexes().all().stream().anyMatch(one -> one.name().equals(figures.name()));
  }

  private static Finding finding(TableFacts facts, IndexFigures index) {
    Instant since = Instant.ofEpochMilli(index.sinceMillis()).truncatedTo(ChronoUnit.MINUTES);
    long hours = TimeUnit.MILLISECONDS.toHours(facts.nowMillis() - index.sinceMillis());
    return new Finding(
        Rule.UNUSED_INDEX,
        String.format(
            Locale.ROOT,
            "No scan has used the index %s since %s, when the last of the table's regions was"
                + " opened. Each write of its columns pays for it.",
            index.name(),
            since),
        List.of(
            Evidence.count("hours without a use", hours),
            Evidence.bytes("the index in store files", index.bytes())),
        List.of(
            new Proposal(
                "Drop the index, unless a job that runs more rarely needs it.",
                List.of(ShellText.dropIndex(facts.schema(), index.name())),
                new Effect("the index in store files", Effect.Unit.BYTES, index.bytes(), 0))));
  }
}
