/** Requests, outcomes and journal of bulk loads into one region. */
package dev.cairn.engine.region.bulkload;
