/**
 * The retention rules of flushes and compactions: {@link
 * dev.cairn.engine.scan.retention.CompactionCursor} drops cells that no read at or after a {@link
 * dev.cairn.engine.scan.retention.ReadHorizon} can return.
 *
 * <p>Imports {@code match}.
 */
package dev.cairn.engine.scan.retention;
