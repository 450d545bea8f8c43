package dev.cairn.server.master.namespace;

import dev.cairn.server.catalog.DataDamage;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.time.Duration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads {@code hbase:namespace} when the master begins to lead: as soon as its region is open, and
 * else after pauses that grow. Owned by the loop.
 */
public final class NamespaceLoading {
  private static final Logger LOG = LoggerFactory.getLogger(NamespaceLoading.class);
  private static final Duration PAUSE_MIN = Duration.ofMillis(2);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(4);

  /** The pause after which the log names the reason for waiting. */
  private static final Duration LONG_PAUSE = Duration.ofMillis(500);

  private final MasterLoop loop;
  private final Namespaces namespaces;
  private final Assignments assignments;
  private final Runnable loaded;

  private Duration pause = PAUSE_MIN;
  private boolean reading;
  private boolean done;

  /** True if the region of {@code hbase:namespace} notifies this object once it is open. */
  private boolean awaiting;

  /**
   * Creates it.
   *
   * @param loaded run once, when the namespaces are known
   */
  public NamespaceLoading(
      MasterLoop loop, Namespaces namespaces, Assignments assignments, Runnable loaded) {
    this.loop = loop;
    this.namespaces = namespaces;
    this.assignments = assignments;
    this.loaded = loaded;
  }

  /** Reads now, unless that is under way or done. */
  public void read() {
    if (reading || done) {
      return;
    }
    reading = true;
    namespaces.load(
        Completion.of(
            () -> {
              reading = false;
              done = true;
              loaded.run();
            },
            cause -> {
              reading = false;
              if (cause instanceof DoNotRetryIOException) {
                done = true;
                String reason = DataDamage.message("The namespaces cannot be read", cause);
                LOG.error("{}. Tables are still served", reason);
                namespaces.setUnreadable(reason);
                loaded.run();
                return;
              }
              if (pause.compareTo(LONG_PAUSE) >= 0) {
                LOG.info("Waiting for hbase:namespace: {}", cause.toString());
              }
              readSoon();
            }));
  }

  /** Reads once the region is open, or after a pause. */
  private void readSoon() {
    if (!awaiting) {
      assignments.of(NamespaceTable.NAME).stream()
          .filter(node -> !node.isSettled())
          .findFirst()
          .ifPresent(this::await);
    }
    loop.after(pause, this::read);
    pause = pause.compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
  }

  private void await(RegionStateNode node) {
    awaiting = true;
    node.whenSettled(
        () -> {
          awaiting = false;
          pause = PAUSE_MIN;
          loop.post(this::read);
        });
  }
}
