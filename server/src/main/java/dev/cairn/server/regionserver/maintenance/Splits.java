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
import dev.cairn.server.split.SplitRestriction;
import dev.cairn.server.split.SplitSettings;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
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
    if (!mayAsk(region) || !region.splitPolicy().shouldSplit(candidate(region))) {
      return false;
    }
    try {
      Optional<byte[]> row = middle(region);
      row.ifPresent(found -> ask(region, found, "its policy says so"));
      return row.isPresent();
    } catch (IOException e) {
      LOG.warn("Cannot find the middle of {}, which should be split: {}", region, e.toString());
      return false;
    }
  }

  @Override
  public boolean request(HostedRegion region, byte[] row, String reason) {
    Optional<byte[]> allowed = mayAsk(region) ? restricted(region, row) : Optional.empty();
    allowed.ifPresent(found -> ask(region, found, reason));
    return allowed.isPresent();
  }

  /**
   * Returns the default row at which a region is split; empty if there is none. May read the index
   * of a store file.
   */
  public Optional<byte[]> middle(HostedRegion region) throws IOException {
    return region.splits().splitPoint().flatMap(row -> restricted(region, row));
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

  /** Tells whether a region can be split now. */
  public boolean isSplittable(HostedRegion region) {
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
        && isSplittable(region)
        && (settings.ignoresBlocking() || !region.splits().hasTooManyFiles())
        && regions.open().size() < settings.regionsMax();
  }

  @Override
  public UnaryOperator<byte[]> allowedRows(TableSchema schema, SplitPolicy policy) {
    SplitRestriction restriction = policies.restriction(schema);
    return row -> restriction.apply(policy.restrict(row));
  }

  private Candidate candidate(HostedRegion region) {
    TableName table = region.info().table();
    int ofTable =
        (int) regions.open().stream().filter(one -> one.info().table().equals(table)).count();
    return new Candidate(
        region.splits().storeBytes(),
        ofTable,
        region.writeRequestCount(),
        region.splits().blockedWrites(),
        clock.currentTimeMillis());
  }

  private Optional<byte[]> restricted(HostedRegion region, byte[] row) {
    byte[] allowed = allowedRows(region.schema(), region.splitPolicy()).apply(row);
    boolean inside =
        allowed.length > 0
            && region.info().contains(allowed)
            && !Arrays.equals(allowed, region.info().startKey());
    return inside ? Optional.of(allowed) : Optional.empty();
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
