package dev.cairn.server.regionserver.maintenance;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.maintenance.LoadSplits.SplitRequests;
import dev.cairn.server.regionserver.membership.MasterLink;
import dev.cairn.server.regionserver.membership.ServerState;
import dev.cairn.server.split.SplitPolicies;
import dev.cairn.server.split.SplitPolicy;
import dev.cairn.server.split.SplitPolicy.Candidate;
import dev.cairn.server.split.SplitPolicy.Point;
import dev.cairn.server.split.SplitRestriction;
import dev.cairn.server.split.SplitSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the master to split regions, by {@code READY_TO_SPLIT} as HBase's servers do. {@link #check}
 * requests the splits that policies want; {@link #request} serves other reasons, at the caller's
 * row. The master decides, and closes the region if it agrees. Thread-safe.
 */
public final class Splits implements SplitRequests {
  private static final Logger LOG = LoggerFactory.getLogger(Splits.class);

  private final ServerState state;
  private final OnlineRegions regions;
  private final MasterLink master;
  private final SplitSettings settings;
  private final SplitPolicies policies;
  private final Clock clock;
  private final Executor executor;

  /** The encoded names of regions whose requests the master has not answered yet. */
  private final Set<String> asked = ConcurrentHashMap.newKeySet();

  private final LongAdder requests = new LongAdder();
  private final LongAdder accepted = new LongAdder();

  /**
   * Creates it.
   *
   * @param executor talks to the master
   */
  public Splits(
      ServerState state,
      OnlineRegions regions,
      MasterLink master,
      SplitSettings settings,
      Clock clock,
      Executor executor) {
    this.state = state;
    this.regions = regions;
    this.master = master;
    this.settings = settings;
    this.policies = new SplitPolicies(settings);
    this.clock = clock;
    this.executor = executor;
  }

  /** Returns the split policy of a newly opened region. */
  public SplitPolicy policy(RegionInfo region, TableSchema schema) {
    return policies.policy(region, schema, clock.currentTimeMillis());
  }

  /**
   * Requests a split if the region's policy wants it and the region has a middle row. May read the
   * index of a store file.
   *
   * @return whether the master is asked
   */
  public boolean requestIfDue(HostedRegion region) {
    if (!mayAsk(region)
        || !region.splitPolicy().shouldSplit(candidate(region, () -> ownMiddle(region)))) {
      return false;
    }
    try {
      Optional<byte[]> row = middle(region).row();
      row.ifPresent(found -> ask(region, found, "its policy says so"));
      return row.isPresent();
    } catch (IOException e) {
      LOG.warn("Cannot find the middle of {}, which should be split: {}", region, e.toString());
      return false;
    }
  }

  @Override
  public boolean request(HostedRegion region, byte[] row, String reason) {
    Optional<byte[]> allowed =
        mayAsk(region) ? restricted(region, Optional.of(row)).row() : Optional.empty();
    allowed.ifPresent(found -> ask(region, found, reason));
    return allowed.isPresent();
  }

  /**
   * Returns the default row at which a region is split. May read the index of a store file. A
   * user's policy is called even if the region has no middle.
   */
  public Point middle(HostedRegion region) throws IOException {
    return restricted(region, region.splits().splitPoint());
  }

  private static Optional<byte[]> ownMiddle(HostedRegion region) {
    try {
      return region.splits().splitPoint();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns how many splits were requested. */
  public long requestCount() {
    return requests.sum();
  }

  /** Returns how many requests the master has accepted. */
  public long acceptedCount() {
    return accepted.sum();
  }

  /** Returns how many requests the master has not answered yet. */
  public int pending() {
    return asked.size();
  }

  /** Tells whether a region can be split now, also on request. */
  public boolean isSplittable(HostedRegion region) {
    return isWhole(region)
        && !(region.splitPolicy() instanceof SplitPolicy.OfUser own
            && own.refusal(candidate(region, () -> ownMiddle(region))).isPresent());
  }

  /** Tells whether a region can be split now, if a policy of its table's own allows it. */
  public boolean isWhole(HostedRegion region) {
    return !region.isReplica()
        && !region.info().table().isMeta()
        && region.splitPolicy() != SplitPolicy.DISABLED
        && region.refusal().isEmpty()
        && !region.splits().hasReferences();
  }

  private boolean mayAsk(HostedRegion region) {
    boolean isSystem = region.info().table().namespace().equals(TableName.SYSTEM_NAMESPACE);
    boolean forbidden =
        region.schema().attribute("SPLIT_ENABLED").filter("false"::equalsIgnoreCase).isPresent();
    return !isSystem
        && !forbidden
        && !asked.contains(region.encodedName())
        && isWhole(region)
        && (settings.ignoresBlocking() || !region.splits().hasTooManyFiles())
        && regions.open().size() < settings.regionsMax();
  }

  @Override
  public UnaryOperator<byte[]> allowedRows(TableSchema schema, SplitPolicy policy) {
    SplitRestriction restriction = policies.restriction(schema);
    return row -> restriction.apply(policy.restrict(row));
  }

  /** Returns the state of a region. As in HBase, replicas do not count as regions of the table. */
  private Candidate candidate(HostedRegion region, Supplier<Optional<byte[]>> middle) {
    TableName table = region.info().table();
    int ofTable =
        (int)
            regions.open().stream()
                .filter(one -> one.info().table().equals(table) && !one.isReplica())
                .count();
    return new Candidate(
        region.splits().storeBytes(),
        ofTable,
        region.writeRequestCount(),
        region.splits().blockedWrites(),
        clock.currentTimeMillis(),
        middle);
  }

  /** Returns the row at which the table allows a split instead of {@code row}. */
  private Point restricted(HostedRegion region, Optional<byte[]> row) {
    boolean ofUser = region.splitPolicy() instanceof SplitPolicy.OfUser;
    Point wanted =
        region.splitPolicy() instanceof SplitPolicy.OfUser own
            ? own.point(candidate(region, () -> row))
            : new Point(row, Optional.empty());
    if (wanted.row().isEmpty()) {
      return wanted;
    }
    byte[] allowed = allowedRows(region.schema(), region.splitPolicy()).apply(wanted.row().get());
    boolean inside =
        allowed.length > 0
            && region.info().contains(allowed)
            && !Arrays.equals(allowed, region.info().startKey());
    if (inside) {
      return new Point(Optional.of(allowed), Optional.empty());
    }
    return ofUser
        ? Point.none(
            "its split policy returned the row <"
                + Bytes.toStringBinary(wanted.row().get())
                + ">, at which it cannot be split")
        : new Point(Optional.empty(), Optional.empty());
  }

  private void ask(HostedRegion region, byte[] row, String reason) {
    if (asked.add(region.encodedName())) {
      executor.execute(
          () -> {
            try {
              askNow(region, row, reason);
            } finally {
              asked.remove(region.encodedName());
            }
          });
    }
  }

  private void askNow(HostedRegion region, byte[] row, String reason) {
    try {
      LOG.info("Asking to split {} at {}: {}", region, Bytes.toStringBinary(row), reason);
      requests.increment();
      master.transition(message(region.info(), row));
      accepted.increment();
    } catch (DoNotRetryIOException e) {
      LOG.info("The master does not split {}: {}", region, e.getMessage());
    } catch (IOException e) {
      LOG.info("{} is not split now, because the master is unreachable: {}", region, e.toString());
    }
  }

  private ReportRegionStateTransitionRequest message(RegionInfo region, byte[] row) {
    // The master gives the daughters their ids.
    long id = Math.max(clock.currentTimeMillis(), region.regionId() + 1);
    return ReportRegionStateTransitionRequest.newBuilder()
        .setServer(state.serverName().message())
        .addTransition(
            RegionStateTransition.newBuilder()
                .setTransitionCode(TransitionCode.READY_TO_SPLIT)
                .addRegionInfo(Messages.message(region))
                .addRegionInfo(
                    Messages.message(new RegionInfo(region.table(), region.startKey(), row, id)))
                .addRegionInfo(
                    Messages.message(new RegionInfo(region.table(), row, region.endKey(), id))))
        .build();
  }
}
