package dev.cairn.server.master.quota;

import dev.cairn.server.catalog.QuotaContents;
import dev.cairn.server.catalog.QuotaTable;
import dev.cairn.server.master.assignment.SystemTable;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.quota.QuotaChange;
import dev.cairn.server.quota.QuotaTarget;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the settings in {@code hbase:quota}, one at a time. They are in force when the region
 * servers have read them. Owned by the loop.
 */
public final class QuotaSettings {
  private static final Logger LOG = LoggerFactory.getLogger(QuotaSettings.class);

  private final boolean enabled;
  private final SystemTable home;
  private final QuotaTable table;

  /**
   * Creates the settings.
   *
   * @param enabled whether quotas are in force: {@code hbase.quota.enabled}
   * @param home reaches {@code hbase:quota}; does one action at a time, so that no other change
   *     comes between a read and its write
   * @param table the format of {@code hbase:quota}
   */
  public QuotaSettings(boolean enabled, SystemTable home, QuotaTable table) {
    this.enabled = enabled;
    this.home = home;
    this.table = table;
  }

  /** Tells whether there are quotas. */
  public boolean isEnabled() {
    return enabled;
  }

  /** Returns if there are quotas, for a call that needs them. */
  public void requireEnabled() throws DoNotRetryIOException {
    if (!enabled) {
      throw new DoNotRetryIOException(
          "quota support disabled: set hbase.quota.enabled to true and start again");
    }
  }

  /** Carries out a client's request. */
  public void change(QuotaTarget target, SetQuotaRequest request, Completion completion) {
    home.perform(
        (region, client) -> {
          table.write(
              region,
              client,
              target,
              QuotaChange.apply(table.read(region, client, target), request));
          return target;
        },
        done -> completion.done(),
        completion::failed);
  }

  /**
   * Removes the settings of removed tables and namespaces. If {@code hbase:quota} is closed or
   * deleted, they stay: nothing may wait for it.
   */
  public void forget(QuotaTarget target, Completion completion) {
    if (!enabled) {
      completion.done();
      return;
    }
    if (!home.isWantedOpen()) {
      LOG.warn("{} is closed or gone; its settings for {} stay", QuotaTarget.TABLE, target);
      completion.done();
      return;
    }
    home.perform(
        (region, client) -> {
          table.write(region, client, target, Optional.empty());
          return target;
        },
        done -> completion.done(),
        completion::failed);
  }

  /** Hands over everything in {@code hbase:quota}. */
  public void readAll(Consumer<QuotaContents> contents, Consumer<IOException> failed) {
    home.perform(table::readAll, contents, failed);
  }

  /** Writes usages as they are stored, and removes those that are empty. */
  void writeUsage(Map<QuotaTarget, Optional<byte[]>> values, Completion completion) {
    home.perform(
        (region, client) -> {
          table.writeAll(region, client, values);
          return values;
        },
        done -> completion.done(),
        completion::failed);
  }

  /** Sets a switch, and returns its former value. */
  public void turn(
      QuotaTarget target,
      boolean otherwise,
      boolean on,
      Consumer<Boolean> before,
      Consumer<IOException> failed) {
    home.perform(
        (region, client) -> {
          boolean was = table.readFlag(region, client, target, otherwise);
          if (was != on) {
            table.writeFlag(region, client, target, on);
          }
          return was;
        },
        before,
        failed);
  }

  /** Hands over a switch. */
  public void ask(
      QuotaTarget target,
      boolean otherwise,
      Consumer<Boolean> answer,
      Consumer<IOException> failed) {
    home.perform(
        (region, client) -> table.readFlag(region, client, target, otherwise), answer, failed);
  }
}
