/**
 * Background work on regions: flushes, compactions and splits, and the limits on memory and files
 * that start them.
 */
package dev.cairn.server.regionserver.maintenance;
