package dev.cairn.server.advise;

import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Finds a row with a large part of the table's load. */
final class HotRow implements Check {
  /** With a fifth of the load on one row, more than five servers gain nothing. */
  static final double SHARE = 0.2;

  private static final int PARTS = 16;
  private static final int REPLICAS = 3;

  /** A row with a part of the load. */
  record Hot(byte[] row, double share, double reads) {}

  /** Returns the hottest row, if it has a large part of the load. */
  static Optional<Hot> of(Observation seen) {
    Map<ByteString, double[]> rows = new HashMap<>();
    double total = 0;
    int samples = 0;
    for (LoadSample call : seen.calls().toList()) {
      if (call.rows() <= call.requests()) { // Not a scan over several rows.
        double[] sums = rows.computeIfAbsent(ByteString.copyFrom(call.row()), any -> new double[2]);
        sums[0] += call.requests();
        sums[1] += call.kind() == Kind.WRITE ? 0 : call.requests();
      }
      total += call.requests();
      samples++;
    }
    double all = total;
    return samples < Observation.SAMPLES_MIN
        ? Optional.empty()
        : rows.entrySet().stream()
            .max((a, b) -> Double.compare(a.getValue()[0], b.getValue()[0]))
            .filter(hottest -> hottest.getValue()[0] >= SHARE * all)
            .map(
                hottest ->
                    new Hot(
                        hottest.getKey().toByteArray(),
                        hottest.getValue()[0] / all,
                        hottest.getValue()[1] / hottest.getValue()[0]));
  }

  @Override
  public List<Finding> findings(Observation seen) {
    Optional<Hot> found = of(seen);
    if (found.isEmpty()) {
      return List.of();
    }
    Hot hot = found.get();
    int regions = seen.regionsGoal();
    double before = Replay.busiest(seen.steps(), new KeyChange.Same(), regions);
    List<Proposal> proposals = new ArrayList<>();
    if (hot.reads() >= 0.5) {
      proposals.add(forReads(seen, hot));
    }
    proposals.add(
        new Proposal(
            String.format(
                Locale.ROOT,
                "Divide the row into %d: write ROW-0 to ROW-%d in turn, and read them all. A counter"
                    + " is the sum of its parts.",
                PARTS,
                PARTS - 1),
            List.of(),
            new Effect(
                "busiest of " + regions + " regions, of all requests",
                Effect.Unit.SHARE,
                before,
                Replay.busiest(seen.steps(), new KeyChange.Divide(hot.row(), PARTS), regions))));
    return List.of(
        new Finding(
            Rule.HOT_ROW,
            String.format(
                Locale.ROOT,
                "The row %s has %.0f %% of the requests. A row is always in one region, so splits"
                    + " do not help.",
                LoadSample.isWhole(hot.row())
                    ? seen.facts().keys().text(hot.row())
                    : seen.facts().keys().textOfPrefix(hot.row()),
                100 * hot.share()),
            List.of(
                Evidence.share("the row's share of the requests", hot.share()),
                Evidence.share("reads among them", hot.reads()),
                Evidence.share("busiest of " + regions + " regions, of all requests", before)),
            proposals));
  }

  private static Proposal forReads(Observation seen, Hot hot) {
    int replicas = Math.min(REPLICAS, seen.facts().servers().orElse(REPLICAS));
    double share = hot.share() * hot.reads();
    if (replicas < 2) {
      return new Proposal(
          "Cache the row in the clients. Replicas of its region need more than one region server.",
          List.of(),
          new Effect(
              "reads of the row, of all requests, once clients cache it",
              Effect.Unit.SHARE,
              share,
              0));
    }
    return new Proposal(
        "Cache the row in the clients, or read it from replicas of its region"
            + " (Consistency.TIMELINE): "
            + replicas
            + " servers share its reads"
            + (seen.facts().servers().isPresent() ? "." : ", if the cluster has as many."),
        List.of(
            ShellText.alter(seen.facts().schema(), "REGION_REPLICATION", String.valueOf(replicas))),
        new Effect(
            "reads of the row, of all requests, on one server",
            Effect.Unit.SHARE,
            share,
            share / replicas));
  }

  /** Returns the observation without the calls of the hottest row, if there is one. */
  static Observation without(Observation seen) {
    return of(seen)
        .map(
            hot ->
                new Observation(
                    seen.facts(), seen.steps(call -> !Arrays.equals(call.row(), hot.row()))))
        .orElse(seen);
  }
}
