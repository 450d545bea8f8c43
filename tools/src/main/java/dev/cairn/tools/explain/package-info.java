/**
 * {@code cairn explain}: what a read or scan of a table comes to, cell by cell. A question comes
 * in; scans that ask the servers for explanations go out, region by region; what comes back is
 * printed as tables for people, in words that need no knowledge of the database's inside, or as one
 * JSON object for programs.
 */
package dev.cairn.tools.explain;
