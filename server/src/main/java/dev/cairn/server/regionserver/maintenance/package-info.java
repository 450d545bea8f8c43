/**
 * What the server does with its regions in the background: flushes, compactions and splits, and the
 * limits on memory and files that start them.
 */
package dev.cairn.server.regionserver.maintenance;
