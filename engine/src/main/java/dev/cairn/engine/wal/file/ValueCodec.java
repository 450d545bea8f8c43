package dev.cairn.engine.wal.file;

/** Compresses and decompresses single values of cells. One thread at a time. */
interface ValueCodec {
  /** Appends the compressed form of {@code length} bytes at {@code offset}, at least one. */
  void compress(byte[] source, int offset, int length, WalBuffer target);

  /**
   * Decompresses {@code length} bytes at {@code offset} and appends the result.
   *
   * <p>Neither length is trusted: memory is allocated only as bytes come out, or up to the most
   * that the compressed bytes can possibly need.
   *
   * @param expected how many bytes that has to be, at least one
   * @throws WalDamage if it is not
   */
  void decompress(byte[] source, int offset, int length, int expected, WalBuffer target)
      throws WalDamage;
}
