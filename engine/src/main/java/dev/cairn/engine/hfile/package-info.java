/**
 * HBase's store file format, HFile: writing version 3, reading versions 2 and 3. This package is
 * empty. Each of its parts imports only parts listed before it:
 *
 * <ul>
 *   <li>{@code format}: the layout of a file's fixed parts, and the exceptions
 *   <li>{@code codec}: compression
 *   <li>{@code block}: blocks in a file and in memory
 *   <li>{@code encoding}: forms of cells in data blocks
 *   <li>{@code cache}: the block cache
 *   <li>{@code bloom}: Bloom filters
 *   <li>{@code writer} and {@code reader}: a whole file, written by {@link
 *       dev.cairn.engine.hfile.writer.HFileWriter}, read by {@link
 *       dev.cairn.engine.hfile.reader.HFileReader}'s cursors
 *   <li>{@code inspect}: tools that show and verify a file
 * </ul>
 */
package dev.cairn.engine.hfile;
