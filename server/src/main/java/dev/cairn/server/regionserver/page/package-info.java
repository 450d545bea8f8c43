/**
 * The pages of a region server: its regions, calls, scanners and compactions. The pages read
 * existing counters; without a reader they cost nothing.
 */
package dev.cairn.server.regionserver.page;
