package dev.cairn.server.hook;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.filter.FilterParser;

/**
 * A server's part for the hooks of one region.
 *
 * @param server the server that opens the region
 * @param filters reads the filters of queries
 */
public record RegionHost(ServerName server, FilterParser filters) {}
