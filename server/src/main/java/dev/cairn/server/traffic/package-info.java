/**
 * Shows where the traffic goes: rates by region and caller, the hottest rows and prefixes, and heat
 * maps. {@link dev.cairn.server.traffic.Traffic} is fed with the samples that {@code loadsplit}
 * takes of the calls of regions, so that a call pays nothing more for it. Knows regions by name and
 * rows, but no server. Imports {@code config} and {@code loadsplit}.
 */
package dev.cairn.server.traffic;
