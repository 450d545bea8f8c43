package dev.cairn.engine.wal.file;

/** Values as they are. */
final class StoredValueCodec implements ValueCodec {
  @Override
  public void compress(byte[] source, int offset, int length, WalBuffer target) {
    target.putBytes(source, offset, length);
  }

  @Override
  public void decompress(byte[] source, int offset, int length, int expected, WalBuffer target)
      throws WalDamage {
    if (length != expected) {
      throw WalDamage.wrong("expected a value of " + expected + " bytes, found " + length);
    }
    target.putBytes(source, offset, length);
  }
}
