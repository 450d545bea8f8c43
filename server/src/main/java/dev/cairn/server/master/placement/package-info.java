/**
 * Decides which server a region goes to: {@link dev.cairn.server.master.placement.Placement} is
 * asked by everything that opens or moves a region, and {@link
 * dev.cairn.server.master.placement.PlacementRule}s exclude servers. Called by the loop's owner.
 * Imports no other room.
 */
package dev.cairn.server.master.placement;
