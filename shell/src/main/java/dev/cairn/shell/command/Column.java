package dev.cairn.shell.command;

import dev.cairn.shell.run.Conversions;
import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A column as scripts write it: {@code family}, {@code family:qualifier}, or {@code
 * family:qualifier:toInt} with a format for its values.
 *
 * @param family the family
 * @param qualifier the qualifier; empty for all columns of the family
 * @param format the format of the values, if the column names one
 */
record Column(byte[] family, Optional<byte[]> qualifier, Optional<ValueFormat> format) {
  /** Reads a column. */
  static Column of(Value value, String what) {
    byte[] bytes = Conversions.bytes(value, what);
    int colon = indexOf(bytes, 0);
    if (colon < 0) {
      return new Column(bytes, Optional.empty(), Optional.empty());
    }
    byte[] family = Arrays.copyOf(bytes, colon);
    byte[] rest = Arrays.copyOfRange(bytes, colon + 1, bytes.length);
    for (int at = indexOf(rest, 0); at >= 0; at = indexOf(rest, at + 1)) {
      String name = new String(rest, at + 1, rest.length - at - 1, StandardCharsets.UTF_8);
      Optional<ValueFormat> format = ValueFormat.named(name);
      if (format.isPresent()) {
        return new Column(family, Optional.of(Arrays.copyOf(rest, at)), format);
      }
    }
    return new Column(family, Optional.of(rest), Optional.empty());
  }

  private static int indexOf(byte[] bytes, int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == ':') {
        return i;
      }
    }
    return -1;
  }

  /** Returns the qualifier; empty bytes if there is none. */
  byte[] qualifierOrEmpty() {
    return qualifier.orElse(new byte[0]);
  }

  /** Returns the key of the column in tables of columns. */
  Text key() {
    return Text.of(family).plus(Text.of(":")).plus(Text.of(qualifierOrEmpty()));
  }
}
