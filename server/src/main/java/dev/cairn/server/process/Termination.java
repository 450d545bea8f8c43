package dev.cairn.server.process;

import dev.cairn.server.master.MasterContext;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a process: in order, at once, or by itself when it cannot go on. The servers of a process
 * end together. Thread-safe.
 */
final class Termination {
  private static final Logger LOG = LoggerFactory.getLogger(Termination.class);

  private final Host host;
  private final HostedServers servers;

  /** Whoever sets it ends the process; everybody else waits for {@link #stopped}. */
  private final AtomicBoolean begun = new AtomicBoolean();

  /** Done when all has ended; tells whether it was asked to. */
  private final CompletableFuture<Boolean> stopped = new CompletableFuture<>();

  private volatile boolean mayStartAgain;
  private volatile boolean isZooKeeperBroken;

  Termination(Host host, HostedServers servers) {
    this.host = host;
    this.servers = servers;
  }

  /** Tells whether the process is ending, or has ended. */
  boolean hasBegun() {
    return begun.get();
  }

  /** Returns a future that is done when all has ended; tells whether it was asked to. */
  CompletableFuture<Boolean> stopped() {
    return stopped;
  }

  /** See {@link CairnProcess#mayStartAgain}. */
  boolean mayStartAgain() {
    return mayStartAgain;
  }

  /** See {@link CairnProcess#failure}. */
  Optional<String> failure() {
    return host.failed()
        .handle((none, cause) -> Optional.ofNullable(cause).map(Throwable::getMessage))
        .getNow(Optional.empty());
  }

  /** Returns why the process cannot go on if something has told so; else {@code symptom}. */
  IOException reason(IOException symptom) {
    return host.failed()
        .handle((none, cause) -> cause instanceof IOException known ? known : symptom)
        .getNow(symptom);
  }

  /** See {@link CairnProcess#awaitStopped}. */
  boolean awaitStopped() throws InterruptedException {
    try {
      return stopped.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Only completed normally", e);
    }
  }

  /** See {@link CairnProcess#close}. */
  void stop() throws IOException {
    if (!begun.compareAndSet(false, true)) {
      stopped.join();
      return;
    }
    try {
      if (!host.failed().isDone()) { // otherwise they would wait for each other
        for (HostedServer server : servers.all()) {
          server.stop();
        }
      }
    } finally {
      end(true);
    }
  }

  /** Stops in order, on a thread of its own. Returns at once. */
  void stopInBackground() {
    ServerThreads.detached("cairn-stop")
        .execute(
            () -> {
              try {
                stop();
              } catch (IOException e) {
                LOG.warn("Stopping was not clean; the log has the unflushed writes", e);
              }
            });
  }

  /** See {@link CairnProcess#abort}. */
  void abort(String reason) {
    servers.all().forEach(server -> server.abort(reason));
    if (begun.compareAndSet(false, true)) {
      end(false);
    } else {
      stopped.join();
    }
  }

  /** Ends what has started of a process that cannot start. */
  void abandonStart() {
    begun.set(true);
    end(false);
  }

  /** Ends the process because its own ZooKeeper cannot go on. Returns at once. */
  void zooKeeperFailed(IOException reason) {
    LOG.warn("The process gives up: {}", reason.getMessage());
    isZooKeeperBroken = true;
    host.failed().completeExceptionally(reason);
  }

  /** Ends the process when one of its servers has ended by itself. */
  void followServers() {
    host.failed()
        .whenCompleteAsync(
            (none, failure) -> endByItself(Optional.ofNullable(failure)),
            ServerThreads.detached("cairn-end"));
  }

  /**
   * Stops the remaining servers: those of a process start and stop together.
   *
   * @param failure empty if a server ended on request
   */
  private void endByItself(Optional<Throwable> failure) {
    if (begun.compareAndSet(false, true)) {
      mayStartAgain = !isZooKeeperBroken && servers.isAnyReplaced();
      if (mayStartAgain || failure.isEmpty()) {
        LOG.info("The process ends, since one of its servers has ended");
      } else {
        LOG.error("The process ends by itself: {}", failure.get().getMessage());
      }
      end(false);
    }
  }

  private void end(boolean asked) {
    host.shutdown().run();
    stopped.complete(asked);
  }

  /** Returns the way for the master to end its process. */
  MasterContext.Lifecycle lifecycle() {
    return new Lifecycle();
  }

  /** The requests of the master to the process. */
  private final class Lifecycle implements MasterContext.Lifecycle {
    @Override
    public void stopMaster() {
      stopInBackground();
    }

    @Override
    public void stopCluster() {
      stopInBackground();
    }

    @Override
    public void abort(String reason, Throwable cause) {
      LOG.warn("The process gives up: {}", reason, cause);
      host.failed().completeExceptionally(new IOException(reason, cause));
    }
  }
}
