/**
 * Groups of region servers, each with tables that only its servers serve: {@link
 * dev.cairn.server.master.group.ServerGroups} keeps the groups of {@code hbase:rsgroup}, {@link
 * dev.cairn.server.master.group.GroupRule} keeps regions away from servers of other groups, {@link
 * dev.cairn.server.master.group.GroupAdmin} does what administrators ask for, and {@link
 * dev.cairn.server.master.group.TableGroups} gives new tables their group. Owned by the loop.
 * Imports {@code assignment}, {@code loop}, {@code namespace}, {@code placement}, {@code remote}
 * and {@code table}.
 */
package dev.cairn.server.master.group;
