package dev.cairn.engine.region.feed;

import dev.cairn.engine.storage.FencingToken;

/**
 * One opening of a region by an owner. The numbers of changes are valid only together with the
 * owner: a later owner may reuse a number that is in no log entry and in no store file.
 *
 * @param token orders the owners of the region
 * @param openSequence the number at the opening: all durable changes of earlier owners have this or
 *     a lower number, and all changes of this owner have higher ones
 */
public record RegionOwner(FencingToken token, long openSequence) {}
