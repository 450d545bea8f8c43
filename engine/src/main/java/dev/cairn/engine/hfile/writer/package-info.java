/**
 * Writing a store file: {@link dev.cairn.engine.hfile.writer.HFileWriter} takes cells in order,
 * fills data blocks, lets helpers compress them, and adds index, Bloom filters, file info and
 * trailer.
 *
 * <p>Imports all packages below; not {@code reader}.
 */
package dev.cairn.engine.hfile.writer;
