/**
 * Decides when a region is split for its load, and at which row. {@link
 * dev.cairn.server.loadsplit.LoadSampler} samples the calls of a region; {@link
 * dev.cairn.server.loadsplit.LoadDecider} evaluates each slice of time. Knows rows and rates, but
 * no region and no server. Imports {@code config}.
 */
package dev.cairn.server.loadsplit;
