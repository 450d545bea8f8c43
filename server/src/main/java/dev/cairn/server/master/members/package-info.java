/**
 * Follows the region servers as they come and go: {@link
 * dev.cairn.server.master.members.ServerManager} recovers the logs of dead servers and frees their
 * regions, {@link dev.cairn.server.master.members.ServerList} keeps the list that HBase's master
 * needs, and {@link dev.cairn.server.master.members.WalDirectories} finds the logs. Imports {@code
 * assignment}, {@code loop}, {@code remote} and {@code store}.
 */
package dev.cairn.server.master.members;
