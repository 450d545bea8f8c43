package dev.cairn.engine.hfile.block;

import dev.cairn.engine.hfile.format.BlockType;

/**
 * A block as it lies in the file, verified and decompressed.
 *
 * @param type what the block is
 * @param fileOffset where it begins in the file
 * @param onDiskSize how many bytes of the file it takes, with header and checksums
 * @param bytes an array that holds the body
 * @param from where the body begins in it
 * @param to where the body ends in it
 */
public record RawBlock(
    BlockType type, long fileOffset, int onDiskSize, byte[] bytes, int from, int to) {}
