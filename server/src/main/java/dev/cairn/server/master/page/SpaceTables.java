package dev.cairn.server.master.page;

import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuotaSnapshot;

/** The table of limits on space. Stateless. */
final class SpaceTables {
  private SpaceTables() {}

  static Table<ClusterView.Space> of(List<ClusterView.Space> spaces) {
    return Table.of("space", "Limits on space", spaces)
        .column("target", "Limited", Kind.NAME, space -> Value.name(space.target()))
        .column("state", "State", Kind.STATE, space -> state(space.state()))
        .bytes("usedBytes", "Used", space -> space.state().getQuotaUsage())
        .bytes("limitBytes", "Limit", space -> space.state().getQuotaLimit())
        .column("share", "Share", Kind.RATIO, space -> share(space.state()))
        .text("policy", "Policy in force", space -> policy(space.state()))
        .sortedBy("-share")
        .whenEmpty("No table and no namespace has a limit on space.")
        .build();
  }

  private static Value state(SpaceQuotaSnapshot space) {
    return space.getQuotaStatus().getInViolation()
        ? Value.state(Level.BAD, "exceeded")
        : Value.state(Level.GOOD, "kept");
  }

  private static Value share(SpaceQuotaSnapshot space) {
    return space.getQuotaLimit() <= 0
        ? Value.NONE
        : Value.ratio((double) space.getQuotaUsage() / space.getQuotaLimit());
  }

  /** Returns the policy, which is known only while it is in force. */
  private static String policy(SpaceQuotaSnapshot space) {
    return space.getQuotaStatus().getInViolation()
        ? space.getQuotaStatus().getViolationPolicy().name()
        : "";
  }
}
