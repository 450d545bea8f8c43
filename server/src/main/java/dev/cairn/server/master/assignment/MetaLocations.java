package dev.cairn.server.master.assignment;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells clients where {@code hbase:meta} and its replicas are open, because {@code hbase:meta} does
 * not list itself. Owned by the loop.
 */
final class MetaLocations {
  private static final Logger LOG = LoggerFactory.getLogger(MetaLocations.class);

  /** The time after which a failed publication is repeated. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final MasterLoop loop;
  private final Assignments.MetaPublisher publisher;
  private final RegionRequests requests;

  MetaLocations(MasterLoop loop, Assignments.MetaPublisher publisher, RegionRequests requests) {
    this.loop = loop;
    this.publisher = publisher;
    this.requests = requests;
  }

  /**
   * Publishes that a server has opened {@code hbase:meta} or a replica. If that fails, orders the
   * server again to open it.
   *
   * @param epoch the copy's number of changes; a later change makes a failure irrelevant
   */
  void publish(RegionStateNode copy, ServerName server, long epoch, Runnable done) {
    loop.perform(
        Lane.COORDINATION,
        () -> publisher.publish(copy.region, server),
        Completion.of(
            done,
            cause -> {
              LOG.warn(
                  "The location of {} could not be published: {}", copy.region, cause.toString());
              if (copy.epoch == epoch) {
                copy.writing = false;
                copy.notPublished(cause);
                requests.after(copy, PAUSE, () -> requests.open(copy));
              }
            }));
  }

  /** Removes the location of a replica that is closed for good. Retries until it succeeds. */
  void withdraw(RegionStateNode replica, Runnable done) {
    loop.perform(
        Lane.COORDINATION,
        () -> publisher.withdraw(replica.region),
        Completion.of(
            done,
            cause -> {
              LOG.warn(
                  "The location of {} could not be removed: {}", replica.region, cause.toString());
              requests.after(replica, PAUSE, () -> withdraw(replica, done));
            }));
  }
}
