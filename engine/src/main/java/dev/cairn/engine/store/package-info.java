/**
 * A store: one family of one region. Its memstore segments and store files are one immutable {@link
 * dev.cairn.engine.store.StoreView}; writes go to the newest segment, flush and compaction publish
 * a new view in one step, scans pin the one they began with.
 */
package dev.cairn.engine.store;
