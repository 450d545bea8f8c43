/** Creates regions: new ones, halves of a split, merged ones, and empty ones after a truncation. */
package dev.cairn.engine.region.lifecycle;
