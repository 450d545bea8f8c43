/**
 * The division of a dead server's log split among the masters and region servers of a cluster:
 * {@link dev.cairn.server.walsplit.LogPart} divides the log by region, {@link
 * dev.cairn.server.walsplit.SplitOrder} is the order for one part in HBase's protocol, and {@link
 * dev.cairn.server.walsplit.PartProgress} tells when a part is complete.
 */
package dev.cairn.server.walsplit;
