package dev.cairn.keys;

import dev.cairn.keys.type.KeyOutput;
import dev.cairn.keys.type.KeyType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Finds the fuzzy keys of a pattern: known bytes where values are given, free ones elsewhere. */
final class PatternFuzzyKeys {
  private final KeyPattern pattern;
  private final KeyFormat format;
  private final PartialKeys partial;

  PatternFuzzyKeys(KeyPattern pattern) {
    this.pattern = pattern;
    format = pattern.format();
    partial = new PartialKeys(format);
  }

  List<FuzzyKey> keys() {
    List<FuzzyKey> keys = new ArrayList<>();
    for (Map<String, Object> known : Assignments.of(pattern, pattern.constraints().keySet())) {
      FuzzyKey key = key(known);
      if (!keys.contains(key)) {
        keys.add(key);
      }
    }
    return keys;
  }

  private FuzzyKey key(Map<String, Object> known) {
    byte[] complete = partial.complete(known).orElse(null);
    if (complete != null) {
      return new FuzzyKey(complete, new byte[complete.length]);
    }
    KeyOutput key = new KeyOutput();
    KeyOutput free = new KeyOutput();
    for (int i = 0; i < format.parts().size(); i++) {
      KeyPart part = format.parts().get(i);
      if (part instanceof ValuePart value && !known.containsKey(value.name())) {
        if (value.type().widthBits() == KeyType.VARIABLE) {
          refuseIfKnownAfter(value, i, known);
          break;
        }
        key.begin(false);
        key.putBits(0, value.type().widthBits());
        free.putBits(-1, value.type().widthBits());
      } else if (part instanceof ValuePart value) {
        appendKnown(value, known.get(value.name()), key, free);
      } else {
        byte[] bytes =
            part instanceof LiteralPart literal
                ? literal.bytes()
                : partial.computed(part, known).orElse(null);
        int width = bytes == null ? Computed.width(part) : bytes.length;
        PartialKeys.append(bytes == null ? new byte[width] : bytes, key);
        byte[] mask = new byte[width];
        Arrays.fill(mask, (byte) (bytes == null ? -1 : 0));
        PartialKeys.append(mask, free);
      }
    }
    return trimmed(key.toBytes(), free.toBytes());
  }

  private void appendKnown(ValuePart part, Object value, KeyOutput key, KeyOutput free) {
    int before = key.size() * Byte.SIZE - unused(key);
    partial.append(part, value, key);
    int written = key.size() * Byte.SIZE - unused(key) - before;
    for (int bit = 0; bit < written; bit++) {
      free.putBits(0, 1);
    }
  }

  private static int unused(KeyOutput out) {
    return out.partialBits() == 0 ? 0 : Byte.SIZE - out.partialBits();
  }

  private void refuseIfKnownAfter(ValuePart part, int index, Map<String, Object> known) {
    for (KeyPart later : format.parts().subList(index + 1, format.parts().size())) {
      if (later instanceof ValuePart value && known.containsKey(value.name())) {
        throw new IllegalArgumentException(
            "part "
                + value.name()
                + " stands after "
                + part.name()
                + ", which is free and of variable length; give it, or declare a fixed width");
      }
    }
  }

  /** Removes free bytes at the end, and turns masks of bits into those of bytes. */
  private FuzzyKey trimmed(byte[] key, byte[] freeBits) {
    int end = freeBits.length;
    while (end > 0 && freeBits[end - 1] == -1) {
      end--;
    }
    byte[] free = new byte[end];
    for (int i = 0; i < end; i++) {
      if (freeBits[i] != 0 && freeBits[i] != -1) {
        throw new IllegalArgumentException(
            "parts of bits that share a byte are all given or all free");
      }
      free[i] = (byte) (freeBits[i] == 0 ? 0 : 1);
    }
    return new FuzzyKey(Arrays.copyOf(key, end), free);
  }
}
