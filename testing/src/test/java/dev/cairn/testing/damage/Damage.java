package dev.cairn.testing.damage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** A kind of damage to a file. */
enum Damage {
  /** Flips one bit. */
  FLIPPED {
    @Override
    void apply(Path file, Random random) throws IOException {
      byte[] bytes = Files.readAllBytes(file);
      if (bytes.length > 0) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        Files.write(file, bytes);
      }
    }
  },
  /** Cuts off the second half. */
  TRUNCATED {
    @Override
    void apply(Path file, Random random) throws IOException {
      byte[] bytes = Files.readAllBytes(file);
      Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    }
  },
  /** Empties the file. */
  EMPTY {
    @Override
    void apply(Path file, Random random) throws IOException {
      Files.write(file, new byte[0]);
    }
  },
  /** Deletes the file. */
  DELETED {
    @Override
    void apply(Path file, Random random) throws IOException {
      Files.delete(file);
    }
  };

  /** Damages {@code file} at a place that {@code random} chooses. */
  abstract void apply(Path file, Random random) throws IOException;
}
