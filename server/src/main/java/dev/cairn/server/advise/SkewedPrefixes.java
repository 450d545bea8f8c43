package dev.cairn.server.advise;

import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Finds a table whose present regions have unequal loads although other borders would divide them:
 * neither a hot row nor keys that grow are the reason. Judges a table only if all its regions are
 * known: the busiest region of one server may have no more than its part of the table's load.
 */
final class SkewedPrefixes implements Check {
  private static final int PREFIX_MAX = 16;
  private static final double RELIEF_MIN = 0.3;

  @Override
  public List<Finding> findings(Observation all) {
    Observation seen = HotRow.without(all);
    int regions = seen.facts().regions();
    int samples = seen.samples(call -> true);
    if (!seen.facts().isWhole()
        || regions < 2
        || samples < Observation.SAMPLES_MIN
        || isGrowing(seen)) {
      return List.of();
    }
    double before = Replay.busiestOfLater(seen.steps(), seen.facts().borders());
    double after = Replay.busiest(seen.steps(), new KeyChange.Same(), regions);
    if (before < Replay.tooBusy(regions, samples / 2) || after > before * (1 - RELIEF_MIN)) {
      return List.of();
    }
    Prefix prefix = heaviest(seen);
    List<byte[]> borders =
        Replay.bordersOfAll(seen.steps(), regions).stream()
            .filter(row -> seen.facts().borders().stream().noneMatch(at -> same(at, row)))
            .toList();
    return List.of(
        new Finding(
            Rule.SKEWED_PREFIXES,
            "Rows with the prefix "
                + seen.facts().keys().textOfPrefix(prefix.bytes().toByteArray())
                + " have most of the requests, and the borders of the regions do not divide them.",
            List.of(
                Evidence.share("requests to the prefix", prefix.share()),
                Evidence.count("regions", regions),
                Evidence.share("the busiest region's share of the requests", before)),
            List.of(
                new Proposal(
                    "Split where the load divides into equal parts.",
                    borders.stream()
                        .map(row -> ShellText.split(seen.facts().schema(), row))
                        .toList(),
                    new Effect(
                        "busiest of " + regions + " regions, of all requests",
                        Effect.Unit.SHARE,
                        before,
                        after)))));
  }

  private static boolean same(byte[] a, byte[] b) {
    return java.util.Arrays.equals(a, b);
  }

  private static boolean isGrowing(Observation seen) {
    return Growth.ofKeys(seen.steps(call -> call.kind() == Kind.WRITE)).isGrowing();
  }

  private record Prefix(ByteString bytes, double share) {}

  /** Returns the longest prefix that has at least half of the requests. */
  private static Prefix heaviest(Observation seen) {
    Prefix best = new Prefix(ByteString.EMPTY, 1);
    for (int length = 1; length <= PREFIX_MAX; length++) {
      Optional<Prefix> longer = heaviest(seen, length).filter(one -> one.share() >= 0.5);
      if (longer.isEmpty()) {
        break;
      }
      best = longer.get();
    }
    return best;
  }

  private static Optional<Prefix> heaviest(Observation seen, int length) {
    Map<ByteString, Double> loads = new HashMap<>();
    double total = 0;
    for (LoadSample call : seen.calls().toList()) {
      if (call.row().length > length) {
        loads.merge(ByteString.copyFrom(call.row(), 0, length), call.requests(), Double::sum);
      }
      total += call.requests();
    }
    double all = total;
    return loads.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(one -> new Prefix(one.getKey(), one.getValue() / all));
  }
}
