package dev.cairn.server.advise;

import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import dev.cairn.server.traffic.sample.CallStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds writes that go to one end of the key space, or to the ends of few prefixes. */
final class GrowingKeys implements Check {
  /** The largest share of scans with which keys may lose their order. */
  private static final double SCANS_FEW = 0.05;

  /** A proposal must take at least this share of the load off the busiest region. */
  private static final double RELIEF_MIN = 0.4;

  @Override
  public List<Finding> findings(Observation seen) {
    List<CallStep> writes = seen.steps(call -> call.kind() == Kind.WRITE);
    int samples = seen.samples(call -> call.kind() == Kind.WRITE);
    if (samples < Observation.SAMPLES_MIN) {
      return List.of();
    }
    Growth growth = Growth.ofPrefixes(writes);
    int regions = seen.regionsGoal();
    double before = Replay.busiest(writes, new KeyChange.Same(), regions);
    if (!growth.isGrowing()
        || growth.prefix() > 0 && before < Replay.tooBusy(regions, samples / 2)) {
      return List.of();
    }
    boolean isWhole = growth.prefix() == 0;
    String way = growth.falls() ? "fall" : "grow";
    return List.of(
        new Finding(
            isWhole ? Rule.GROWING_KEYS : Rule.GROWING_PREFIXES,
            isWhole
                ? "The keys of new rows only "
                    + way
                    + ", so that at each moment one region has all writes. Splits do not help."
                : String.format(
                    Locale.ROOT,
                    "The keys of new rows only %s within each of %d prefixes of %d bytes, so that at"
                        + " each moment %d places of the key space have all writes.",
                    way,
                    growth.prefixes(),
                    growth.prefix(),
                    growth.prefixes()),
            List.of(
                Evidence.share("writes beyond nine tenths of all earlier ones", growth.share()),
                Evidence.count("sampled writes", samples),
                Evidence.share("busiest of " + regions + " regions, of the writes", before)),
            proposals(seen, writes, growth, before)));
  }

  private static List<Proposal> proposals(
      Observation seen, List<CallStep> writes, Growth growth, double before) {
    int regions = seen.regionsGoal();
    double all = seen.requests(call -> true);
    boolean scans = seen.requests(Kind.SCAN) > SCANS_FEW * all;
    List<Proposal> proposals = new ArrayList<>();
    KeyChange.Salt salt = new KeyChange.Salt(regions);
    Change salted =
        new Change(
            salt,
            "_salted",
            String.format(
                Locale.ROOT,
                "Salt with %d buckets: write each row as NN-ROW, where NN is the CRC-32 of the row"
                    + " modulo %d in two decimal digits. A scan becomes %d scans, one for each"
                    + " bucket.",
                regions,
                regions,
                regions));
    List<Change> changes = new ArrayList<>();
    if (scans) {
      changes.add(salted);
    } else {
      changes.add(
          new Change(
              new KeyChange.Hash(),
              "_hashed",
              "Hash: write each row as HHHH-ROW, where HHHH are the first four hexadecimal digits"
                  + " of its MD5. Rows lose their order, which the calls hardly use: few are"
                  + " scans."));
      changes.add(
          new Change(
              new KeyChange.Reverse(),
              "_reversed",
              "Reverse: write the bytes of each row from last to first. Rows lose their order."));
      changes.add(salted);
    }
    for (Change change : changes) {
      double after = Replay.busiest(writes, change.keys(), regions);
      if (after <= before * (1 - RELIEF_MIN)) {
        proposals.add(proposal(seen, writes, change, before, after));
      }
    }
    if (scans && !growth.falls()) {
      newestFirst(seen, writes, before).ifPresent(proposals::add);
    }
    return proposals;
  }

  private record Change(KeyChange keys, String suffix, String sentence) {}

  private static Proposal proposal(
      Observation seen, List<CallStep> writes, Change change, double before, double after) {
    int regions = seen.regionsGoal();
    List<byte[]> borders = Replay.borders(writes, change.keys(), regions);
    return new Proposal(
        change.sentence(),
        List.of(ShellText.create(seen.facts().schema(), change.suffix(), borders)),
        effect(regions, before, after));
  }

  private static Effect effect(int regions, double before, double after) {
    return new Effect(
        "busiest of " + regions + " regions, of the writes", Effect.Unit.SHARE, before, after);
  }

  /** Proposes falling times if scans read the newest rows. */
  private static java.util.Optional<Proposal> newestFirst(
      Observation seen, List<CallStep> writes, double before) {
    Growth read = Growth.ofPrefixes(seen.steps(call -> call.kind() == Kind.SCAN));
    if (!read.isGrowing()) {
      return java.util.Optional.empty();
    }
    KeyChange keys = new KeyChange.Falling(read.prefix());
    return java.util.Optional.of(
        new Proposal(
            String.format(
                Locale.ROOT,
                "Scans read the newest rows. Reverse the timestamp (Long.MAX_VALUE - time%s), so"
                    + " that a scan finds the newest row first and ends soon. This alone does not"
                    + " spread the writes: salt, too.",
                read.prefix() == 0 ? "" : ", after the first " + read.prefix() + " bytes"),
            List.of(),
            effect(seen.regionsGoal(), before, Replay.busiest(writes, keys, seen.regionsGoal()))));
  }
}
