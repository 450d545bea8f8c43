/** Regions that begin: new, as halves of a split, as a merge of others, or empty by truncation. */
package dev.cairn.engine.region.lifecycle;
