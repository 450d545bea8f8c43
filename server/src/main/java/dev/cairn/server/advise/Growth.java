package dev.cairn.server.advise;

import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.traffic.sample.CallStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * The share of calls beyond the rows of earlier calls. Each call is compared with the calls of
 * earlier steps: it is <em>beyond</em> them if its row is above nine tenths of theirs. Of keys that
 * do not grow, a tenth is; of keys that grow, all are, also if a few rows lie at the far end.
 *
 * @param share the share of calls beyond the earlier ones of the same prefix
 * @param falls whether keys fall instead of growing
 * @param prefix the length of the prefix within which keys grow; 0 if they grow as a whole
 * @param prefixes how many prefixes there are
 */
record Growth(double share, boolean falls, int prefix, int prefixes) {
  /** Keys grow if this share of calls is beyond the earlier ones; random keys have 0.1. */
  static final double GROWING = 0.8;

  private static final double QUANTILE = 0.9;

  /** With fewer earlier rows, the quantile has no meaning. */
  private static final int EARLIER_MIN = 10;

  private static final int PREFIX_MAX = 24;

  /** Prefixes with fewer calls than this on average are too many to be told from random keys. */
  private static final int CALLS_OF_PREFIX_MIN = 16;

  private static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

  boolean isGrowing() {
    return share >= GROWING;
  }

  /** Returns the growth of whole keys. */
  static Growth ofKeys(List<CallStep> steps) {
    return of(steps, 0);
  }

  /**
   * Returns the growth within the shortest prefix in which keys grow; that of whole keys if there
   * is none.
   */
  static Growth ofPrefixes(List<CallStep> steps) {
    for (int length = 0; length <= PREFIX_MAX; length++) {
      Growth growth = of(steps, length);
      if (growth.isGrowing()) {
        return growth;
      }
    }
    return ofKeys(steps);
  }

  private static Growth of(List<CallStep> steps, int prefix) {
    Map<ByteString, List<List<byte[]>>> groups = new HashMap<>();
    int calls = 0;
    for (int i = 0; i < steps.size(); i++) {
      for (LoadSample call : steps.get(i).calls()) {
        byte[] row = call.row();
        ByteString key = ByteString.copyFrom(row, 0, Math.min(prefix, row.length));
        List<List<byte[]>> rows = groups.computeIfAbsent(key, any -> empty(steps.size()));
        rows.get(i).add(row);
        calls++;
      }
    }
    if (calls < (long) groups.size() * CALLS_OF_PREFIX_MIN) {
      return new Growth(0, false, prefix, groups.size());
    }
    double up = share(groups.values(), ORDER);
    double down = share(groups.values(), ORDER.reversed());
    return new Growth(Math.max(up, down), down > up, prefix, groups.size());
  }

  private static List<List<byte[]>> empty(int steps) {
    List<List<byte[]>> lists = new ArrayList<>(steps);
    for (int i = 0; i < steps; i++) {
      lists.add(new ArrayList<>());
    }
    return lists;
  }

  private static double share(Iterable<List<List<byte[]>>> groups, Comparator<byte[]> order) {
    int judged = 0;
    int beyond = 0;
    for (List<List<byte[]>> steps : groups) {
      List<byte[]> earlier = new ArrayList<>();
      for (List<byte[]> step : steps) {
        if (earlier.size() >= EARLIER_MIN) {
          earlier.sort(order);
          byte[] quantile = earlier.get((int) (QUANTILE * earlier.size()));
          judged += step.size();
          beyond += (int) step.stream().filter(row -> order.compare(row, quantile) > 0).count();
        }
        earlier.addAll(step);
      }
    }
    return judged < Observation.SAMPLES_MIN / 2 ? 0 : (double) beyond / judged;
  }
}
