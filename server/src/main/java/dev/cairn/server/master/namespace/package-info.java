/**
 * The namespaces: {@link dev.cairn.server.master.namespace.Namespaces} keeps the list of {@code
 * hbase:namespace}, and {@link dev.cairn.server.master.namespace.NamespaceLoading} reads that table
 * at the start. Owned by the loop. Imports {@code assignment} and {@code loop}.
 */
package dev.cairn.server.master.namespace;
