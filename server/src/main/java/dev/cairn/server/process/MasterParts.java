package dev.cairn.server.process;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.LogSplitter;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.CatalogJanitor;
import dev.cairn.server.master.Master;
import dev.cairn.server.master.MasterWorld;
import dev.cairn.server.master.SchemaRules;
import dev.cairn.server.master.WalDirectories;
import dev.cairn.server.quota.QuotaKeys;
import dev.cairn.server.rpc.RpcClient;
import dev.cairn.server.rpc.RpcKeys;
import java.time.Duration;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a master is made of in this process.
 *
 * @param name its name
 * @param storage the root directory
 * @param engine opens its store, and sorts the logs of dead servers
 * @param coordination its own session
 * @param client calls region servers
 * @param lifecycle what it may ask of the process
 */
record MasterParts(
    ServerName name,
    SiteConfig config,
    Storage storage,
    Clock clock,
    EngineParts engine,
    Coordination coordination,
    RpcClient client,
    MasterWorld.Lifecycle lifecycle) {
  private static final Logger LOG = LoggerFactory.getLogger(MasterParts.class);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);

  /** Creates the master, which is not started. */
  Master create(int infoPort) {
    LogSplitter splitter = engine.splitter("");
    MasterWorld world =
        new MasterWorld(
            clock,
            storage,
            engine.shapes(),
            coordination,
            new OwnServerCalls(client, CALL_TIMEOUT),
            new WalDirectories(storage, directory -> LOG.info("{}", splitter.split(directory))),
            () -> engine.openMasterStore(name),
            new SchemaRules(
                EngineParts::checkFiles,
                config.get(SchemaRules.SANITY_CHECKS),
                CairnProcess.schemaReview()),
            config.get(QuotaKeys.ENABLED),
            handlers(),
            Duration.ofMillis(config.get(CatalogJanitor.INTERVAL_MILLIS)),
            UUID::randomUUID,
            lifecycle);
    return Master.create(name, infoPort, world, ServerThreads.named("cairn-master"));
  }

  /** Returns how many threads answer ordinary calls, or those of the servers if these are fewer. */
  private int handlers() {
    return (int)
        Math.min(config.get(RpcKeys.HANDLER_COUNT), config.get(RpcKeys.PRIORITY_HANDLER_COUNT));
  }
}
