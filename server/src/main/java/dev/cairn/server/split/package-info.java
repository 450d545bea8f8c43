/**
 * Decides when a region is split and at which row: HBase's split policies and restrictions, with
 * their keys and table attributes. Knows sizes and rows, but no region and no server. Imports
 * {@code config}.
 */
package dev.cairn.server.split;
