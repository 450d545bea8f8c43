/**
 * The steps of a write to one region: the request, its check, the locks of its rows, staging in log
 * and memory, and its completion.
 */
package dev.cairn.engine.region.write;
