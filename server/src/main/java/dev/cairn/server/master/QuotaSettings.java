package dev.cairn.server.master;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.NamespaceTable;
import dev.cairn.server.catalog.QuotaTable;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.MasterLoop.Completion;
import dev.cairn.server.master.MasterLoop.Lane;
import dev.cairn.server.quota.QuotaChange;
import dev.cairn.server.quota.QuotaTarget;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the settings in {@code hbase:quota}, one at a time. They are in force when the region
 * servers have read them. Owned by the loop.
 */
final class QuotaSettings {
  private static final Logger LOG = LoggerFactory.getLogger(QuotaSettings.class);

  private final boolean enabled;
  private final MasterLoop loop;
  private final ServerCalls calls;
  private final QuotaTable table;
  private final Supplier<Optional<RegionStateNode>> home;

  /**
   * Creates the settings.
   *
   * @param enabled whether there are any: {@code hbase.quota.enabled}
   * @param home returns the region of {@code hbase:quota}, if there is one
   */
  QuotaSettings(
      boolean enabled,
      MasterLoop loop,
      ServerCalls calls,
      QuotaTable table,
      Supplier<Optional<RegionStateNode>> home) {
    this.enabled = enabled;
    this.loop = loop;
    this.calls = calls;
    this.table = table;
    this.home = home;
  }

  /** Tells whether there are quotas. */
  boolean isEnabled() {
    return enabled;
  }

  /** Returns if there are quotas, for a call that needs them. */
  void requireEnabled() throws DoNotRetryIOException {
    if (!enabled) {
      throw new DoNotRetryIOException(
          "quota support disabled: set hbase.quota.enabled to true and start again");
    }
  }

  /** Does what a client asks for. */
  void change(QuotaTarget target, SetQuotaRequest request, Completion completion) {
    withTable(
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
   * Forgets the settings of what is gone. If somebody has closed or deleted {@code hbase:quota},
   * they stay: nothing must wait for what may never come back.
   */
  void forget(QuotaTarget target, Completion completion) {
    if (!enabled) {
      completion.done();
      return;
    }
    if (home.get().filter(node -> node.wantOpen).isEmpty()) {
      LOG.warn("{} is closed or gone; what it may say of {} stays", QuotaTarget.TABLE, target);
      completion.done();
      return;
    }
    withTable(
        (region, client) -> {
          table.write(region, client, target, Optional.empty());
          return target;
        },
        done -> completion.done(),
        completion::failed);
  }

  /** Sets a switch, and hands over what it was. */
  void turn(
      QuotaTarget target,
      boolean otherwise,
      boolean on,
      Consumer<Boolean> before,
      Consumer<IOException> failed) {
    withTable(
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
  void ask(
      QuotaTarget target,
      boolean otherwise,
      Consumer<Boolean> answer,
      Consumer<IOException> failed) {
    withTable(
        (region, client) -> table.readFlag(region, client, target, otherwise), answer, failed);
  }

  /** What is done with the table, off the loop. */
  private interface Work<T> {
    T run(RegionInfo region, NamespaceTable.Client client) throws IOException;
  }

  /** Works with the table, where its region is open now; else that fails. */
  private <T> void withTable(Work<T> work, Consumer<T> done, Consumer<IOException> failed) {
    Optional<RegionStateNode> region =
        home.get().filter(node -> node.server.isPresent() && node.isOpenAt(node.server.get()));
    if (region.isEmpty()) {
      failed.accept(new NotServingRegionException(QuotaTarget.TABLE + " is not open anywhere"));
      return;
    }
    RegionInfo info = region.get().region;
    Client client = new Client(calls, region.get().server.orElseThrow());
    // One at a time: what is read must not change before it is written.
    loop.perform(Lane.CATALOG, () -> work.run(info, client), done, failed);
  }

  private record Client(ServerCalls calls, ServerName server) implements NamespaceTable.Client {
    @Override
    public <R extends Message> R call(String method, Message request, R responsePrototype)
        throws IOException {
      return calls.call(server, "ClientService", method, request, responsePrototype);
    }
  }
}
