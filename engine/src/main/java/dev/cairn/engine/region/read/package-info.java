/**
 * Gets and scans of one region: the views that they read, the open ones, and rows read across
 * families.
 */
package dev.cairn.engine.region.read;
