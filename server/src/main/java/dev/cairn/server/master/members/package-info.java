/**
 * Follows the region servers as they come and go: {@link
 * dev.cairn.server.master.members.ServerManager} has the logs of dead servers recovered and frees
 * their regions, {@link dev.cairn.server.master.members.FailureDetector} finds those that hang or
 * ended while their sessions live, and {@link dev.cairn.server.master.members.ServerList} keeps the
 * list that HBase's master needs. Imports {@code assignment}, {@code loop}, {@code recovery},
 * {@code remote} and {@code store}.
 */
package dev.cairn.server.master.members;
