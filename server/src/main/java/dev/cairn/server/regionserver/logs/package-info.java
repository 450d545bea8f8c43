/** The server's own logs, and its share of the split of other servers' logs. */
package dev.cairn.server.regionserver.logs;
