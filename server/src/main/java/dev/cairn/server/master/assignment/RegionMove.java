package dev.cairn.server.master.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;

/**
 * A region was closed at a server and opened at another one.
 *
 * @param sinceMillis when it began, milliseconds since 1970
 * @param endMillis when the region was open again
 */
public record RegionMove(
    RegionInfo region, ServerName from, ServerName to, long sinceMillis, long endMillis) {}
