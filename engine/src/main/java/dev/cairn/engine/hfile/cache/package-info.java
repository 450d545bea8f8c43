/**
 * The block cache of a server, the pinned blocks of open files, and the blocks of files that are
 * being written.
 *
 * <p>Imports {@code block} and {@code format}. Knows offsets and blocks; it never reads a file.
 */
package dev.cairn.engine.hfile.cache;
