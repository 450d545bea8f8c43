package dev.cairn.server.catalog;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.quota.QuotaTarget;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Quotas;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.SpaceQuotaSnapshot;

/** Gathers the settings in the cells of {@code hbase:quota}. Not thread-safe. */
public final class QuotaContents {
  private final Map<QuotaTarget, Quotas> settings = new HashMap<>();
  private final Map<QuotaTarget, byte[]> usage = new HashMap<>();
  private boolean exceed;
  private boolean enabled = true;

  /** Returns the families whose cells count. */
  public static List<byte[]> families() {
    return List.of(QuotaTarget.FAMILY, QuotaTarget.USAGE);
  }

  /**
   * Adds the newest cell of a column.
   *
   * @throws IOException if the value cannot be read
   */
  public void take(byte[] row, byte[] family, byte[] qualifier, byte[] value) throws IOException {
    QuotaTarget target =
        new QuotaTarget(Bytes.utf8(family), Bytes.utf8(row), Bytes.utf8(qualifier));
    if (target.equals(QuotaTarget.EXCEED)) {
      exceed = value.length > 0 && value[0] != 0;
    } else if (target.equals(QuotaTarget.ENABLED)) {
      enabled = value.length > 0 && value[0] != 0;
    } else if (target.isSpace()) {
      usage.put(target, value.clone());
    } else if (target.family().equals(Bytes.utf8(QuotaTarget.FAMILY))) {
      settings.put(
          target,
          Quotas.parseFrom(Messages.unprefixed(value, target + " of " + QuotaTarget.TABLE)));
    }
  }

  /** Returns all settings, also while throttles are turned off. */
  public Map<QuotaTarget, Quotas> settings() {
    return Map.copyOf(settings);
  }

  /** Returns the measured usages of space, as they are stored. */
  public Map<QuotaTarget, byte[]> usage() {
    return Map.copyOf(usage);
  }

  /**
   * Returns the usage of each table that has a limit on space, and the limit.
   *
   * @throws IOException if one cannot be read
   */
  public Map<TableName, SpaceQuotaSnapshot> spaceStates() throws IOException {
    Map<TableName, SpaceQuotaSnapshot> states = new HashMap<>();
    for (Map.Entry<QuotaTarget, byte[]> one : usage.entrySet()) {
      Optional<TableName> table = one.getKey().table();
      if (one.getKey().isState() && table.isPresent()) {
        states.put(table.get(), SpaceQuotaSnapshot.parseFrom(one.getValue()));
      }
    }
    return states;
  }

  /** Returns the settings that are in force: none if an administrator has turned them off. */
  public Map<QuotaTarget, Quotas> inForce() {
    return enabled ? Map.copyOf(settings) : Map.of();
  }

  /** Tells whether throttles are in force; false if an administrator has turned them off. */
  public boolean throttlesCount() {
    return enabled;
  }

  /** Tells whether calls may exceed their quotas while the server has capacity to spare. */
  public boolean mayExceed() {
    return exceed;
  }
}
