package dev.cairn.engine.hfile.format;

/**
 * The layout of a file's blocks around their bodies.
 *
 * @param headerSize size of the header before the body, bytes
 * @param checksums true if the header has checksum fields and checksums follow the body
 */
public record BlockLayout(int headerSize, boolean checksums) {
  /** The layout that is written today. */
  static final BlockLayout WITH_CHECKSUMS = new BlockLayout(HFileFormat.HEADER_SIZE, true);

  /** The layout of HBase 0.92 (version 2.0): a header without the checksum fields. */
  static final BlockLayout WITHOUT_CHECKSUMS = new BlockLayout(HFileFormat.CHECKSUM_TYPE_AT, false);
}
