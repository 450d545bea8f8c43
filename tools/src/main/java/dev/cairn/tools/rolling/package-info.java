/**
 * Restarts the servers of a running cluster one after the other: {@link
 * dev.cairn.tools.rolling.RollingRestart} moves the regions of a server away, has its process
 * restarted, and moves them back; {@link dev.cairn.tools.rolling.RestartState} keeps how far it has
 * come. A connection to the cluster enters; lines of progress leave.
 */
package dev.cairn.tools.rolling;
