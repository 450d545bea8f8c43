/**
 * Limits: {@link dev.cairn.server.master.quota.NamespaceQuota} limits the tables and regions of a
 * namespace, and {@link dev.cairn.server.master.quota.QuotaSettings} changes the throttles in
 * {@code hbase:quota}, which the region servers enforce. Owned by the loop. Imports {@code
 * assignment}, {@code loop}, {@code namespace} and {@code table}.
 */
package dev.cairn.server.master.quota;
