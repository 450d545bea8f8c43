/**
 * The encodings of cells in data blocks, as a family's {@code DATA_BLOCK_ENCODING} names them. Each
 * encodes cells of the plain form and decodes them back into a {@link
 * dev.cairn.engine.hfile.block.DataBlock}, so no other package sees encoded cells.
 *
 * <p>Imports {@code block} and {@code format}.
 */
package dev.cairn.engine.hfile.encoding;
