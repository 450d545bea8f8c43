package dev.cairn.engine.region.feed;

import dev.cairn.engine.storage.FencingToken;

/**
 * One opening of a region by an owner. The numbers of changes belong to it: a later owner may give
 * out a number again that no log entry and no store file has.
 *
 * @param token orders the owners of the region
 * @param openSequence the number at the opening: all durable changes of earlier owners have this or
 *     a lower number, and all of this owner have higher ones
 */
public record RegionOwner(FencingToken token, long openSequence) {}
