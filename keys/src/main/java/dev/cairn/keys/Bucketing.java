package dev.cairn.keys;

import dev.cairn.keys.hash.HashFunction;

/** How the bucket of a key is computed. */
public sealed interface Bucketing {
  /** The one of a salt that names none. */
  Bucketing STANDARD = new Hashed(HashFunction.MURMUR3);

  /** The hash of bytes, as an unsigned number, modulo the number of buckets. */
  record Hashed(HashFunction function) implements Bucketing {
    @Override
    public String toString() {
      return function.word();
    }
  }

  /** A number or the milliseconds of a time, modulo the number of buckets. */
  record Modulo() implements Bucketing {
    /** The name in the text form. */
    static final String WORD = "modulo";

    @Override
    public String toString() {
      return WORD;
    }
  }

  /** As Apache Phoenix computes the salt byte of a table with SALT_BUCKETS. */
  record Phoenix() implements Bucketing {}
}
