/**
 * The pages of the master: servers, tables, regions and their transitions, and the first page of a
 * cluster. {@link dev.cairn.server.master.page.ClusterView} copies what the pages show out of the
 * loop's state, so that a page is built on the web server's threads from values that do not change.
 */
package dev.cairn.server.master.page;
