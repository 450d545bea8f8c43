/** What the server tells about its regions: reports to the master, and metrics. */
package dev.cairn.server.regionserver.report;
