package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures and logs how long rows are not served while new regions replace old ones. Measures
 * nothing if the master restarts in between. Owned by the loop.
 */
final class ServiceGap {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceGap.class);

  private final Clock clock;
  private OptionalLong begunNanos = OptionalLong.empty();

  ServiceGap(Clock clock) {
    this.clock = clock;
  }

  /** Starts the measurement: the old regions are about to be closed. */
  void begin() {
    if (begunNanos.isEmpty()) {
      begunNanos = OptionalLong.of(clock.nanoTime());
    }
  }

  /** Ends the measurement: the new regions are open. */
  void end(List<RegionInfo> parents, List<RegionInfo> heirs) {
    begunNanos.ifPresent(
        begun ->
            LOG.info(
                "{} took the place of {}; their rows were not served for {} ms",
                heirs,
                parents,
                TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - begun)));
    begunNanos = OptionalLong.empty();
  }
}
