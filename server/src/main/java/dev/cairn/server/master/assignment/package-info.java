/**
 * Opens and closes regions: {@link dev.cairn.server.master.assignment.Assignments} brings each
 * region to its goal, {@code RegionRequests} asks the region servers, and {@link
 * dev.cairn.server.master.assignment.RegionStateNode} holds the state of one region. {@link
 * dev.cairn.server.master.assignment.SystemTable} calls the server of a system table. Owned by the
 * loop. Imports {@code loop}, {@code meta}, {@code placement} and {@code remote}.
 */
package dev.cairn.server.master.assignment;
