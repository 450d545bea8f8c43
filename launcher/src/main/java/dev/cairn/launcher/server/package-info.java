/** The commands that start, stop and show servers, processes of a cluster and gateways. */
package dev.cairn.launcher.server;
