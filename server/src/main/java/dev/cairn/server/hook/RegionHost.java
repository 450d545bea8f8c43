package dev.cairn.server.hook;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.filter.FilterParser;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.ReferencedRows;
import dev.cairn.server.rpc.LocalCalls;
import java.util.Collection;
import java.util.function.Supplier;

/**
 * Gives the hooks of a region server and of its regions access to the server.
 *
 * @param server the server's name
 * @param filters reads the filters of queries
 * @param online returns the regions that the server serves
 * @param settings returns the settings as they were read last
 * @param storage the root directory
 * @param dataDirectory the directory of tables below it
 * @param references the way to the rows of other tables
 * @param calls calls the server itself
 * @param clock the server's
 */
public record RegionHost(
    ServerName server,
    FilterParser filters,
    Supplier<Collection<HostedRegion>> online,
    Supplier<SiteConfig> settings,
    Storage storage,
    String dataDirectory,
    ReferencedRows references,
    LocalCalls calls,
    Clock clock) {}
