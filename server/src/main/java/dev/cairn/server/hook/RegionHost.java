package dev.cairn.server.hook;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.filter.FilterParser;

/**
 * Gives the hooks of one region access to their server.
 *
 * @param server the server that opens the region
 * @param filters reads the filters of queries
 */
public record RegionHost(ServerName server, FilterParser filters) {}
