package dev.cairn.interop.sidebyside;

import dev.cairn.engine.schema.TableSchema;
import dev.cairn.torture.model.Swarm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * All steps of one table, drawn from a seed. They do not depend on any answer, so that some of them
 * can be left out to find out which ones a difference needs. One thread.
 */
final class Match {
  private static final int SHRINKING_ATTEMPTS_MAX = 60;

  private final Server cairn;
  private final Optional<Server> hbase;
  private final long seed;
  private final long base;
  private final Swarm swarm;
  private final RandomTable tables;
  private final TableKind kind;
  private final TableSchema schema;
  private final List<Numbered> steps = new ArrayList<>();
  private int attempts;

  /** A step and its place in the order, which says at what time it is done. */
  private record Numbered(long number, Step step) {}

  /** Where and how the sides differ. */
  private record Finding(int steps, Duel.Difference what, String rows) {}

  /**
   * Draws a table and its steps.
   *
   * @param base the time, milliseconds since 1970
   */
  Match(Server cairn, Server hbase, long seed, int count, long base) {
    this(cairn, Optional.of(hbase), seed, count, base, RandomSteps::next);
  }

  /** Draws a table that only Cairn and the model have; most steps are reads. */
  static Match ofReads(Server cairn, long seed, int count, long base) {
    return new Match(cairn, Optional.empty(), seed, count, base, RandomSteps::nextOfReads);
  }

  private Match(
      Server cairn,
      Optional<Server> hbase,
      long seed,
      int count,
      long base,
      Function<RandomSteps, Step> draw) {
    SplittableRandom random = new SplittableRandom(seed);
    this.cairn = cairn;
    this.seed = seed;
    this.base = base;
    Swarm drawn = Swarm.draw(random);
    // The client looks up regions by rows that are longer than those it is given.
    this.swarm = drawn.with(drawn.bytes().withoutLongest());
    this.kind = TableKind.random(random, swarm);
    this.hbase = kind.isForBoth() ? hbase : Optional.empty();
    this.tables = new RandomTable(random, swarm);
    this.schema = tables.table("side-by-side-" + seed, kind);
    RandomSteps next = new RandomSteps(random, schema, swarm, kind, base);
    for (int i = 0; i < count; i++) {
      steps.add(new Numbered(i, draw.apply(next)));
    }
  }

  /** Returns the number of scans. */
  int scans() {
    return (int) steps.stream().filter(one -> one.step() instanceof Step.Scan).count();
  }

  /** Does all steps; returns the difference that was found, for people. */
  Optional<String> play() throws IOException, InterruptedException {
    Optional<Finding> found = play(steps);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    if (!found.get().what().isOfCairn() && play(steps).isEmpty()) {
      // HBase picks one of several cells with the same key and time by chance.
      System.out.println("HBase alone differed, once:\n" + describe(steps, found.get()));
      return Optional.empty();
    }
    List<Numbered> needed = new ArrayList<>(steps.subList(0, found.get().steps()));
    Finding last = found.get();
    for (int size = needed.size() / 2; size > 0; size /= 2) {
      for (int from = needed.size() - size - 1; from >= 0; from -= size) {
        List<Numbered> fewer = new ArrayList<>(needed);
        fewer.subList(from, from + size).clear();
        Optional<Finding> still =
            attempts++ < SHRINKING_ATTEMPTS_MAX ? play(fewer) : Optional.empty();
        if (still.isPresent()) {
          needed = new ArrayList<>(fewer.subList(0, still.get().steps()));
          last = still.get();
          from = Math.min(from, needed.size() - 1);
        }
      }
    }
    return Optional.of(describe(needed, last));
  }

  private String describe(List<Numbered> needed, Finding finding) {
    StringBuilder text = new StringBuilder();
    text.append("seed %d, base %d, table %s, %s%n".formatted(seed, base, kind, swarm));
    schema
        .families()
        .forEach(
            family ->
                text.append("  family %s".formatted(family.nameAsString()))
                    .append(
                        family.message().getAttributesList().stream()
                            .map(
                                a ->
                                    a.getFirst().toStringUtf8()
                                        + "="
                                        + a.getSecond().toStringUtf8())
                            .toList())
                    .append("\n"));
    needed.forEach(step -> text.append("  %d %s%n".formatted(step.number(), step.step())));
    return text.append(finding.what().text()).append("\n").append(finding.rows()).toString();
  }

  private Optional<Finding> play(List<Numbered> some) throws IOException, InterruptedException {
    try (Duel duel = new Duel(cairn, hbase, schema, base)) {
      for (int i = 0; i < some.size(); i++) {
        Optional<Duel.Difference> difference = duel.run(some.get(i).number(), some.get(i).step());
        if (difference.isPresent()) {
          return Optional.of(new Finding(i + 1, difference.get(), duel.describe()));
        }
      }
    }
    return Optional.empty();
  }
}
