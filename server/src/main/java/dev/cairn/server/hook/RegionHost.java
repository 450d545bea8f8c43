package dev.cairn.server.hook;

import dev.cairn.server.catalog.ServerName;

/**
 * A server's part for the hooks of one region.
 *
 * @param server the server that opens the region
 */
public record RegionHost(ServerName server) {}
