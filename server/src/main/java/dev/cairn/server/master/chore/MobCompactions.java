package dev.cairn.server.master.chore;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.remote.RegionServerCalls;
import dev.cairn.server.master.table.Tables;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests a periodic major compaction of every MOB family: only these rewrite the values in MOB
 * files and so drop values that are no longer visible. Region servers compact one region after
 * another, so all are asked at once. Owned by the loop.
 */
public final class MobCompactions {
  /** The time between two rounds. */
  public static final ConfigKey<Long> PERIOD_SECONDS =
      ConfigKey.number(
          "hbase.mob.compaction.chore.period",
          604_800,
          0,
          Integer.MAX_VALUE,
          "Time between two major compactions of all MOB families, in seconds; 0 means none.");

  private static final Logger LOG = LoggerFactory.getLogger(MobCompactions.class);

  private final MasterLoop loop;
  private final Tables tables;
  private final Assignments assignments;
  private final RegionServerCalls calls;

  /** Creates the chore. It requests nothing until it is called. */
  public MobCompactions(
      MasterLoop loop, Tables tables, Assignments assignments, RegionServerCalls calls) {
    this.loop = loop;
    this.tables = tables;
    this.assignments = assignments;
    this.calls = calls;
  }

  /** Requests all compactions; failed requests wait for the next time. */
  public void request() {
    for (Tables.Table table : tables.all()) {
      if (table.isEnabled()) {
        table.schema().families().stream()
            .filter(FamilySchema::isMob)
            .forEach(family -> request(table, family));
      }
    }
  }

  /** As {@link #request()}, for one family of a table. */
  public void request(Tables.Table table, FamilySchema family) {
    for (RegionStateNode node : assignments.of(table.name())) {
      if (node.state() == State.OPEN) {
        RegionInfo region = node.region();
        ServerName server = node.server().orElseThrow();
        loop.perform(
            Lane.requests(server),
            () -> calls.compact(server, region, family.name()),
            Completion.of(
                () -> {},
                cause -> LOG.warn("{} is not compacted this time: {}", region, cause.toString())));
      }
    }
  }
}
