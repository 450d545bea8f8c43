package dev.cairn.engine.hfile.format;

/**
 * How the blocks of a file are laid out around their bodies.
 *
 * @param headerSize the bytes before the body
 * @param checksums whether the header speaks of checksums and they follow the body
 */
public record BlockLayout(int headerSize, boolean checksums) {
  /** What is written today. */
  static final BlockLayout WITH_CHECKSUMS = new BlockLayout(HFileFormat.HEADER_SIZE, true);

  /** What HBase 0.92 wrote, in version 2.0: a header that ends before the checksum's type. */
  static final BlockLayout WITHOUT_CHECKSUMS = new BlockLayout(HFileFormat.CHECKSUM_TYPE_AT, false);
}
