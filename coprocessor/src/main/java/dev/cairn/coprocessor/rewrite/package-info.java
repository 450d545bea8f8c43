/** Flushes and compactions, between the hooks of a region's coprocessors. */
package dev.cairn.coprocessor.rewrite;
