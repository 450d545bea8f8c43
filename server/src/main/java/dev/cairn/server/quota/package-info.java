/**
 * Quotas: how much users, tables, namespaces and servers may ask for, and how much space tables may
 * take. Settings lie in {@code hbase:quota}, in HBase's format; the master changes them there, and
 * region servers read them now and then. They count what calls use, and refuse what is too much
 * with {@code RpcThrottlingException}. What enters are settings and calls; what leaves is a
 * permission or the time to wait.
 */
package dev.cairn.server.quota;
