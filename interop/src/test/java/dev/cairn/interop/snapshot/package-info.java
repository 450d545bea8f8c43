/** Snapshots with Apache's clients, tools and servers. */
package dev.cairn.interop.snapshot;
