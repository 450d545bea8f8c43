package dev.cairn.server.process;

import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.http.WebReport;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.page.PageException;
import dev.cairn.server.page.Section;
import dev.cairn.server.page.Timeline;
import dev.cairn.server.page.WebParts;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.traffic.Traffic;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Runs one server of a process. Its port is bound. {@link Host#shutdown} closes the resources that
 * it opens. If the server ends by itself, it completes {@link Host#failed}.
 */
interface HostedServer {
  /** Returns the server's name, role and port. */
  BoundServer bound();

  /**
   * Begins to serve and registers the server. Does not wait for other servers. Called once.
   *
   * @param coordination the session of this server alone
   * @param infoPort the port of the web page, 0 if there is none
   * @return completes when the server works with the other servers of the cluster
   */
  CompletableFuture<Void> start(Coordination coordination, int infoPort) throws IOException;

  /** Ends its work in order. The servers that started later must still run. */
  void stop() throws IOException;

  /** Ends its work as a kill would, even during {@link #stop}. */
  void abort(String reason);

  /** Returns the open regions of the server. */
  Collection<HostedRegion> regions();

  /** Returns one message for each refused table or region. */
  List<String> refusedTables() throws IOException;

  /**
   * Returns what keeps the cluster from serving, one line each.
   *
   * @throws IOException if the server does not answer
   */
  default List<String> obstacles() throws IOException {
    return List.of();
  }

  /**
   * Tells, once the server has ended by itself, whether it did so because others believe it dead or
   * have replaced it. Then nothing is wrong with the process. May wait for ZooKeeper.
   */
  boolean isReplaced();

  /** Returns the server's report on its web page. */
  default Optional<WebReport> report() {
    return Optional.empty();
  }

  /** Returns the server's parts of the web server. Called once, before {@link #start}. */
  default WebParts web() {
    return WebParts.NONE;
  }

  /**
   * Returns the server's part of the first page.
   *
   * @param alone whether there is no other server in the process
   * @throws PageException if there is nothing to show yet
   */
  default List<Section> overview(boolean alone) throws PageException {
    return List.of();
  }

  /** Returns the events that the server remembers, besides those of its process. */
  default List<Timeline.Event> events() {
    return List.of();
  }

  /** Returns the traffic of the server, if it is a region server that was created. */
  default Optional<Traffic> traffic() {
    return Optional.empty();
  }

  /** Returns the present sources of the metrics of the server. */
  List<MetricSource> metrics();

  /** Returns a sentence for each region whose load no split spreads. */
  default List<String> loadNotices() {
    return List.of();
  }
}
