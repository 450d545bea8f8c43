package dev.cairn.engine.hfile.encoding;

import dev.cairn.engine.hfile.block.BlockMemory;
import dev.cairn.engine.hfile.block.DataBlock;
import dev.cairn.engine.hfile.format.ByteSink;
import java.io.IOException;

/**
 * Turns the cells of a block into another form and back. The plain form is that of {@link
 * DataBlock}. Stateless; any number of threads.
 */
public interface BlockEncoding {
  /**
   * Appends the encoded form of the cells between {@code from} and {@code to}.
   *
   * @param tags whether tags follow each value
   * @param sequences whether a sequence number follows each cell
   */
  void encode(byte[] plain, int from, int to, boolean tags, boolean sequences, ByteSink target);

  /**
   * Returns the cells that the bytes between {@code from} and {@code to} encode.
   *
   * @param memory gives the block its arrays
   * @throws IOException naming the damage
   */
  DataBlock decode(
      byte[] encoded, int from, int to, boolean tags, boolean sequences, BlockMemory memory)
      throws IOException;
}
