/**
 * Reading a store file: {@link dev.cairn.engine.hfile.reader.HFileReader} loads trailer, index and
 * file info, and gets blocks from the cache or the file. Its cursors step through cells and seek.
 *
 * <p>Imports all packages below; not {@code writer}.
 */
package dev.cairn.engine.hfile.reader;
