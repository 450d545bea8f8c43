package dev.cairn.server.master.assignment;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.remote.RegionServerCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the next server of a region that moves open the region's files and read its hot blocks,
 * while its present server still serves it. A warm-up that fails or takes too long is given up, and
 * the move goes on. Owned by the loop.
 */
final class RegionWarmUps {
  private static final Logger LOG = LoggerFactory.getLogger(RegionWarmUps.class);

  private final MasterLoop loop;
  private final RegionServerCalls calls;
  private final Duration longest;

  /**
   * The warm-up of a region at its next server.
   *
   * @param server the next server
   * @param epoch the region's epoch when it began; it is still open if it has that epoch
   * @param over whether it has ended or is given up
   * @param succeeded whether it has ended in time and without a failure
   */
  record WarmUp(ServerName server, long epoch, AtomicBoolean over, AtomicBoolean succeeded) {
    WarmUp(ServerName server, long epoch) {
      this(server, epoch, new AtomicBoolean(), new AtomicBoolean());
    }

    private boolean is(ServerName next, RegionStateNode node) {
      return server.equals(next) && epoch == node.epoch;
    }
  }

  /**
   * Creates it.
   *
   * @param longest how long a move waits for its warm-up; zero for no warm-ups
   */
  RegionWarmUps(MasterLoop loop, RegionServerCalls calls, Duration longest) {
    this.loop = loop;
    this.calls = calls;
    this.longest = longest;
  }

  /**
   * Tells whether an open region may leave its server for {@code next}. Begins the warm-up there,
   * if it has not begun.
   *
   * @param goOn runs when the warm-up has ended or is given up
   */
  boolean isOver(RegionStateNode node, ServerName next, Runnable goOn) {
    if (longest.isZero()) {
      return true;
    }
    if (node.warmUp.filter(warmUp -> warmUp.is(next, node)).isEmpty()) {
      begin(node, next, goOn);
    }
    return node.warmUp.get().over().get();
  }

  private void begin(RegionStateNode node, ServerName next, Runnable goOn) {
    WarmUp warmUp = new WarmUp(next, node.epoch);
    node.warmUp.ifPresent(earlier -> earlier.over().set(true));
    node.warmUp = Optional.of(warmUp);
    ServerName now = node.server.orElseThrow();
    loop.after(longest, () -> ended(node, warmUp, "it takes too long", goOn));
    loop.perform(
        Lane.warmUps(next),
        () -> {
          if (!warmUp.over().get()) { // It may have waited for others.
            calls.warmUp(now, next, node.region, longest);
          }
          return true;
        },
        done -> ended(node, warmUp, "", goOn),
        (IOException cause) -> ended(node, warmUp, cause.toString(), goOn));
  }

  private void ended(RegionStateNode node, WarmUp warmUp, String problem, Runnable goOn) {
    if (warmUp.over().getAndSet(true)) {
      return;
    }
    if (problem.isEmpty()) {
      warmUp.succeeded().set(true);
    } else {
      LOG.info("{} moves to {} without a warm-up there: {}", node.region, warmUp.server(), problem);
    }
    goOn.run();
  }
}
