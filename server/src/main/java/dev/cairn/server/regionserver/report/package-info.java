/** Reports to the master, and metrics, about the server's regions. */
package dev.cairn.server.regionserver.report;
