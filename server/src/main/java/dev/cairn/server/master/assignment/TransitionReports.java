package dev.cairn.server.master.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.OpeningProblem;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.meta.RegionStateStore;
import dev.cairn.server.master.remote.OnlineServers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the reports of region servers about regions, and answers to orders that replace reports.
 * Owned by the loop.
 */
final class TransitionReports implements RegionRequests.Answers {
  private static final Logger LOG = LoggerFactory.getLogger(TransitionReports.class);

  /** The failed openings in a row, in about a minute, after which an error is logged. */
  private static final int FAILURES_TOLD = 10;

  /** The failed openings in a row after which clients hear the reason. */
  private static final int FAILURES_BEFORE_CLIENTS = 2;

  /**
   * The time for which a server that stops gets no regions. Afterwards it is asked again, because a
   * server gives the same answer while its lease is over, and may go on to serve.
   */
  private static final Duration STOP_MAX = Duration.ofSeconds(30);

  private final MasterLoop loop;
  private final RegionStateStore catalog;
  private final OnlineServers servers;
  private final MetaLocations locations;
  private final long epoch;
  private final RegionStates nodes;
  private final RegionRequests requests;
  private final RegionDriver driver;
  private final RegionStateWrites writes;

  /**
   * Creates it.
   *
   * @param epoch the epoch of this master
   */
  TransitionReports(
      MasterLoop loop,
      RegionStateStore catalog,
      OnlineServers servers,
      MetaLocations locations,
      long epoch,
      RegionStates nodes,
      RegionRequests requests,
      RegionDriver driver,
      RegionStateWrites writes) {
    this.loop = loop;
    this.catalog = catalog;
    this.servers = servers;
    this.locations = locations;
    this.epoch = epoch;
    this.nodes = nodes;
    this.requests = requests;
    this.driver = driver;
    this.writes = writes;
  }

  /**
   * Handles a server's report that a region is open there; completes once clients may be sent
   * there.
   *
   * @param problem why the server refuses every call of the region; empty if it serves the region
   * @param order the order that the report answers; empty if it names none
   */
  void opened(
      ServerName server,
      RegionInfo region,
      long sequence,
      Optional<OpeningProblem> problem,
      Optional<FencingToken> order,
      Completion completion) {
    RegionStateNode node = nodes.find(region.encodedName()).orElse(null);
    if (node != null && node.state == State.OPENING && !node.writing && !isLatest(order, node)) {
      completion.failed(
          new IOException(
              "%s has been ordered to open %s again since"
                  .formatted(server, region.regionNameAsString())));
      return;
    }
    opened(server, region, sequence, problem, completion);
  }

  /** Tells whether a report answers the latest order about a region. */
  private boolean isLatest(Optional<FencingToken> order, RegionStateNode node) {
    return order.filter(new FencingToken(epoch, node.epoch)::equals).isPresent();
  }

  private void opened(
      ServerName server,
      RegionInfo region,
      long sequence,
      Optional<OpeningProblem> problem,
      Completion completion) {
    RegionStateNode node = nodes.find(region.encodedName()).orElse(null);
    if (node == null || !node.isAt(server) || !servers.isLive(server)) {
      completion.failed(
          new IOException(
              "The master did not ask " + server + " to open " + region.regionNameAsString()));
      return;
    }
    if (node.state == State.OPEN) {
      node.problem = problem;
      completion.done();
      return;
    }
    if (node.isPublishing()) {
      node.whenPublished(completion); // The same report once more.
      return;
    }
    if (node.state != State.OPENING || node.writing) {
      completion.failed(
          new IOException(
              region.regionNameAsString() + " is " + node.state + " and not to be opened"));
      return;
    }
    node.openSequence = sequence;
    node.writing = true;
    node.whenPublished(completion);
    long order = node.epoch;
    long epoch = nodes.nextEpoch();
    node.epoch = epoch;
    Runnable written =
        () -> {
          if (node.epoch == epoch) {
            node.writing = false;
            node.earlierFailures = node.failures;
            node.failures = 0;
            node.openedBy = order;
            node.problem = problem;
            node.knowsProblem = Optional.empty();
            nodes.change(node, State.OPEN, node.server);
            if (node.isMeta()) {
              catalog.setOpen(true);
            }
            problem.ifPresentOrElse(
                one -> LOG.warn("{} at {} refuses every call: {}", region, server, one.reason()),
                () -> LOG.info("{} is open at {}{}", region, server, why(node)));
            node.published();
            // The server that a replica has left may be free for another copy.
            driver.drive(node.primary.orElse(node));
          }
        };
    if (node.isOfMeta()) {
      locations.publish(node, server, epoch, written);
    } else {
      catalog.write(
          List.of(new CatalogChange.RegionOpened(node.region, server, sequence)),
          Completion.of(written, cause -> notEntered(node, epoch, cause)));
    }
  }

  /** Tells the server of an opening that {@code hbase:meta} refuses, and opens the region again. */
  private void notEntered(RegionStateNode node, long epoch, IOException cause) {
    if (node.epoch == epoch) {
      node.writing = false;
      node.notPublished(cause);
      failedOpen(node);
    }
  }

  private static String why(RegionStateNode node) {
    return node.placed
        .filter(decision -> decision.server().equals(node.server))
        .map(decision -> " (" + decision.reason() + ")")
        .orElse("");
  }

  /**
   * Handles a server's report that it could not open a region, or cannot serve it. If the region is
   * recorded as open there, the server is asked to close it before it is opened anywhere: the
   * report may be an old one. Completes once {@code hbase:meta} does not say any more that the
   * region is open there, so that the next master knows it, too.
   *
   * @param problem the reason; empty if the server does not know it, or serves the region until it
   *     closes
   */
  void failedOpen(
      ServerName server,
      RegionInfo region,
      Optional<OpeningProblem> problem,
      Optional<FencingToken> order,
      Completion completion) {
    RegionStateNode node = nodes.find(region.encodedName()).orElse(null);
    if (node != null && node.state == State.OPEN && node.isAt(server)) {
      openFailed(node, server, problem, order, completion);
      return;
    }
    completion.done();
    if (node != null
        && node.state == State.OPENING
        && node.isAt(server)
        && !node.writing
        && isLatest(order, node)) {
      node.problem = problem;
      failedOpen(node);
    }
  }

  /** Closes a region that its server has reported as open, and cannot serve. */
  private void openFailed(
      RegionStateNode node,
      ServerName server,
      Optional<OpeningProblem> problem,
      Optional<FencingToken> order,
      Completion completion) {
    boolean isCurrent =
        order.filter(one -> one.epoch() == epoch && one.order() == node.openedBy).isPresent();
    LOG.warn(
        "{} cannot serve {}; opening it again{}",
        server,
        node.region,
        problem.map(one -> ": " + one.reason()).orElse(""));
    if (problem.isPresent()) {
      node.failing = true;
      node.problem = problem;
      node.failures = isCurrent ? node.earlierFailures : 0;
    }
    node.reopen = node.wantOpen;
    if (node.failing) {
      driver.beginClose(node, completion);
    } else {
      completion.done();
      driver.drive(node);
    }
  }

  @Override
  public void failedOpen(RegionStateNode node) {
    node.failures++;
    Duration pause = node.pause();
    String server = node.server.map(ServerName::toString).orElse("?");
    String reason = node.problem().map(text -> ": " + text).orElse("");
    if (node.failures == FAILURES_TOLD) {
      LOG.error(
          "{} could not be opened {} times, and is not served; the logs of {} and of the servers"
              + " that tried before it have the cause. Trying again every {} ms{}",
          node.region,
          node.failures,
          server,
          pause.toMillis(),
          reason);
    } else {
      LOG.warn(
          "{} could not be opened at {}; trying again in {} ms{}",
          node.region,
          server,
          pause.toMillis(),
          reason);
    }
    nodes.change(node, State.FAILED_OPEN, node.server);
    sendClients(node);
    if (node.isGivenUp()) {
      node.release();
    }
    requests.after(
        node,
        pause,
        () -> {
          nodes.change(node, State.OFFLINE, node.server);
          driver.drive(node);
        });
  }

  /**
   * Names the server in {@code hbase:meta} that could not open a region, so that clients get the
   * reason from it. Otherwise, they would find no server, or a former one.
   */
  private void sendClients(RegionStateNode node) {
    boolean isLasting = node.failures >= FAILURES_BEFORE_CLIENTS && node.problem.isPresent();
    if (isLasting
        && !node.isOfMeta()
        && !node.isReplica()
        && node.server.isPresent()
        && !node.server.equals(node.knowsProblem)) {
      node.knowsProblem = node.server;
      catalog.write(
          List.of(new CatalogChange.RegionExpected(node.region, node.server.get())),
          Completion.UNHEARD);
    }
  }

  @Override
  public void stopping(ServerName server, List<RegionStateNode> refused) {
    if (servers.suspend(server)) {
      LOG.info("{} gets no regions for {} s: it stops", server, STOP_MAX.toSeconds());
      loop.after(
          STOP_MAX,
          () -> {
            if (servers.resume(server)) {
              nodes.copy().forEach(driver::drive);
            }
          });
    }
    for (RegionStateNode node : refused) {
      if (nodes.contains(node)) {
        nodes.change(node, State.OFFLINE, node.server);
        driver.drive(node);
      }
    }
  }

  /**
   * Handles a server's report that a region is closed there. A report that does not answer the
   * latest order is checked: the server is asked to close the region. A server that stops closes
   * {@code hbase:meta} without an order.
   *
   * @param order the order that the report answers; empty if it names none
   */
  void closed(
      ServerName server, RegionInfo region, Optional<FencingToken> order, Completion completion) {
    Optional<RegionStateNode> known = nodes.find(region.encodedName());
    if (known.isEmpty()) {
      completion.done(); // It has been split, merged or deleted since.
      return;
    }
    RegionStateNode node = known.get();
    boolean asked =
        node.isMeta() && order.isEmpty() || node.state == State.CLOSING && isLatest(order, node);
    if (asked) {
      closed(server, region, completion);
      return;
    }
    boolean isDoubtful = order.isEmpty() || node.isOfMeta(); // its state is not stored
    if (isDoubtful && node.state == State.OPEN && node.isAt(server)) {
      node.reopen = node.wantOpen;
      driver.drive(node);
    }
    completion.done(); // If it answers an earlier order, the report is late.
  }

  private void closed(ServerName server, RegionInfo region, Completion completion) {
    RegionStateNode node = nodes.find(region.encodedName()).orElse(null);
    if (node == null || !node.isAt(server) || !node.isHosted() || node.writing) {
      completion.done(); // It is known already, or irrelevant.
      return;
    }
    node.warmUp = Optional.empty();
    if (node.failing && node.wantOpen) {
      node.failing = false;
      node.reopen = false;
      if (node.isMeta()) {
        catalog.setOpen(false);
      }
      completion.done();
      failedOpen(node);
      return;
    }
    node.failing = false;
    node.problem = Optional.empty();
    node.failures = 0;
    if (node.isMeta()) {
      catalog.setOpen(false);
      nodes.change(node, State.CLOSED, node.server);
      completion.done();
      driver.drive(node);
    } else {
      nodes.change(node, State.CLOSED, node.server);
      if (!driver.isOpenedAtOnce(node, completion)) {
        writes.write(node, State.CLOSED, node.server, completion, () -> {});
      }
    }
  }

  @Override
  public void alreadyOpen(ServerName server, RegionStateNode node) {
    if (node.state == State.OPENING) { // The server reports a problem by itself.
      long sequence = Math.max(1, node.openSequence);
      opened(server, node.region, sequence, Optional.empty(), Completion.UNHEARD);
    }
  }

  @Override
  public void alreadyClosed(ServerName server, RegionStateNode node) {
    closed(server, node.region, Completion.UNHEARD);
  }
}
