/**
 * Quotas: limits on the requests of users, tables, namespaces and servers, and on the space of
 * tables. Settings lie in {@code hbase:quota}, in HBase's format; the master changes them there,
 * and region servers read them periodically. They count the use of calls, and refuse excess with
 * {@code RpcThrottlingException}.
 */
package dev.cairn.server.quota;
