/**
 * A store: one family of one region. Its memstore segments and store files are one immutable {@link
 * dev.cairn.engine.store.StoreView}; writes go to the newest segment, and flush and compaction
 * publish a new view in one step. A read uses the view that it began with; after a flush, a long
 * scan continues in that view's successor.
 */
package dev.cairn.engine.store;
