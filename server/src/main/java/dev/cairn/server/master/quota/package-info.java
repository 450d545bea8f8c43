/**
 * Limits: {@link dev.cairn.server.master.quota.NamespaceQuota} limits the tables and regions of a
 * namespace, {@link dev.cairn.server.master.quota.QuotaSettings} changes the settings in {@code
 * hbase:quota}, which the region servers enforce, and {@link
 * dev.cairn.server.master.quota.SpaceObserver} compares tables with their limits on space. Owned by
 * the loop. Imports {@code assignment}, {@code loop}, {@code namespace} and {@code table}.
 */
package dev.cairn.server.master.quota;
