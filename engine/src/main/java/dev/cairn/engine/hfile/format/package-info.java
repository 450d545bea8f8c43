/**
 * The layout of a store file: trailer, file info, block types, checksums, numbers of variable
 * length. Also the settings of files, and the exceptions for damaged and unsupported files.
 *
 * <p>Imports none of the other packages of store files.
 */
package dev.cairn.engine.hfile.format;
