package dev.cairn.server.master.balancer;

import dev.cairn.server.catalog.ServerName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Decides at each look whether regions are to be moved for load, and how many.
 *
 * <p>There is an allowance of moves: it grows by one with each pause, up to four for each server,
 * and a move takes one. So a change of the load is answered at once by as many moves as it needs.
 * If the load changes all the time, there is one move for each pause. Splits for load do not wait
 * for the allowance, as they are rare by themselves, and a split without a move changes nothing.
 * Not thread-safe.
 */
final class LoadWatch {
  private static final int ALLOWANCE_MIN = 16;
  private static final int ALLOWANCE_OF_SERVER = 4;

  /** A server counts as loaded, or idle, after this many consecutive looks. */
  private static final int LOOKS = 2;

  /** The moves after a split for load that need no allowance: one half goes elsewhere. */
  private static final int ALLOWANCE_OF_SPLIT = 1;

  private final double excess;
  private final long pauseNanos;
  private int looks;
  private int idleLooks;
  private long loadedNanos;
  private double allowance = Double.MAX_VALUE;
  private long grownNanos;

  /**
   * Creates it with the largest allowance.
   *
   * @param excess the part of the mean by which a loaded server exceeds the mean, and an idle one
   *     is below it
   * @param pause the time in which the allowance grows by one move
   */
  LoadWatch(double excess, Duration pause) {
    this.excess = excess;
    this.pauseNanos = Math.max(1, pause.toNanos());
  }

  /**
   * What a look saw.
   *
   * @param worst the server with the highest load, if it is loaded
   * @param above by which part of the mean the highest load is above it; 0 if there is little load
   * @param isUneven whether a server is loaded, or idle while others work
   * @param allowed the most moves that may be made now
   * @param loadedNanos how long servers have been loaded
   */
  record Look(
      Optional<ServerName> worst, double above, boolean isUneven, int allowed, long loadedNanos) {}

  /**
   * Looks at the load of servers.
   *
   * @param nanos the processor time of each server, nanoseconds per second
   * @param isSplit whether a region was split for load since the last look
   */
  Look look(Map<ServerName, Double> nanos, boolean isSplit, long now) {
    int allowed = Math.max(allowed(nanos.size(), now), isSplit ? ALLOWANCE_OF_SPLIT : 0);
    double mean = nanos.values().stream().mapToDouble(one -> one).average().orElse(0);
    double least = nanos.values().stream().mapToDouble(one -> one).min().orElse(0);
    boolean isBelow = mean >= Measure.CPU.meanMin() && least < mean * (1 - excess);
    idleLooks = isBelow ? idleLooks + 1 : 0;
    Optional<Map.Entry<ServerName, Double>> worst =
        nanos.entrySet().stream()
            .max(
                Map.Entry.<ServerName, Double>comparingByValue()
                    .thenComparing(Map.Entry.comparingByKey()));
    double above =
        worst.isEmpty() || mean < Measure.CPU.meanMin() ? 0 : worst.get().getValue() / mean - 1;
    if (above <= excess) {
      looks = 0;
      return new Look(Optional.empty(), above, idleLooks >= LOOKS, allowed, 0);
    }
    if (looks == 0) {
      loadedNanos = now;
    }
    looks++;
    return new Look(
        looks < LOOKS ? Optional.empty() : worst.map(Map.Entry::getKey),
        above,
        looks >= LOOKS || idleLooks >= LOOKS,
        allowed,
        now - loadedNanos);
  }

  /** Returns how many moves may be made now. */
  int allowed(int servers, long now) {
    int most = Math.max(ALLOWANCE_MIN, ALLOWANCE_OF_SERVER * servers);
    allowance = Math.min(most, allowance + (double) (now - grownNanos) / pauseNanos);
    grownNanos = now;
    return (int) allowance;
  }

  /** Moves were begun. */
  void moved(int count) {
    allowance = Math.max(0, allowance - count);
  }
}
