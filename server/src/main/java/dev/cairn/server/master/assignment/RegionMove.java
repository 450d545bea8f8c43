package dev.cairn.server.master.assignment;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;

/**
 * A move of a region from one server to another.
 *
 * @param sinceMillis when the move began, milliseconds since 1970
 * @param endMillis when the region was open again
 */
public record RegionMove(
    RegionInfo region, ServerName from, ServerName to, long sinceMillis, long endMillis) {}
