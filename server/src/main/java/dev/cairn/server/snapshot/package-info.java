/**
 * Snapshots in HBase's format: names, manifests, their directory, and tables that are made of them.
 */
package dev.cairn.server.snapshot;
