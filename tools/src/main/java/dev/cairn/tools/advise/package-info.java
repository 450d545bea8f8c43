/**
 * Collects what the region servers of a cluster know of a table, for {@code bin/cairn advise}. The
 * rules themselves are {@link dev.cairn.server.advise.Adviser}'s.
 */
package dev.cairn.tools.advise;
