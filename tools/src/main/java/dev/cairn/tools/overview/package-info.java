/**
 * Reads the state of a cluster for {@code bin/cairn status}. {@link
 * dev.cairn.tools.overview.OverviewReader} queries the active master and each server. {@link
 * dev.cairn.tools.overview.ClusterOverview} is the result, which is printed as text or as JSON.
 */
package dev.cairn.tools.overview;
