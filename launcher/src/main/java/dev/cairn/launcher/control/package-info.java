/**
 * Starts, finds and stops processes in the background: the standalone server ({@link
 * dev.cairn.launcher.control.ServerControl}), and the processes of a cluster and the gateways
 * ({@link dev.cairn.launcher.control.RoleControl}).
 */
package dev.cairn.launcher.control;
