/**
 * The namespaces: {@link dev.cairn.server.master.namespace.Namespaces} keeps them as {@code
 * hbase:namespace} lists them, and {@link dev.cairn.server.master.namespace.NamespaceLoading} reads
 * that table at the start. Owned by the loop. Imports {@code assignment} and {@code loop}.
 */
package dev.cairn.server.master.namespace;
