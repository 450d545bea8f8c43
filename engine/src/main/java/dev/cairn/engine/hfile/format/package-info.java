/**
 * How a store file is laid out: trailer, file info, types of blocks, checksums, numbers of variable
 * length; the settings of files, and the exceptions for files that are damaged or unsupported.
 *
 * <p>Imports none of the other packages of store files.
 */
package dev.cairn.engine.hfile.format;
