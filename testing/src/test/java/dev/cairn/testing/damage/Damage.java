package dev.cairn.testing.damage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** What happens to a file. */
enum Damage {
  /** One bit of one byte is another. */
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
  /** The second half is missing. */
  TRUNCATED {
    @Override
    void apply(Path file, Random random) throws IOException {
      byte[] bytes = Files.readAllBytes(file);
      Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    }
  },
  /** Nothing is in it. */
  EMPTY {
    @Override
    void apply(Path file, Random random) throws IOException {
      Files.write(file, new byte[0]);
    }
  },
  /** It is gone. */
  DELETED {
    @Override
    void apply(Path file, Random random) throws IOException {
      Files.delete(file);
    }
  };

  /** Does it to {@code file}; {@code random} says where in it. */
  abstract void apply(Path file, Random random) throws IOException;
}
