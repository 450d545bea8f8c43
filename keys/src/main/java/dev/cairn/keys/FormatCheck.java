package dev.cairn.keys;

import dev.cairn.keys.type.BitsType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks what the parts of a format require of each other. */
final class FormatCheck {
  private final List<KeyPart> parts;
  private final Map<String, Integer> indexes = new HashMap<>();

  private FormatCheck(List<KeyPart> parts) {
    this.parts = parts;
  }

  /**
   * Checks the parts.
   *
   * @throws PartRefused if one of them cannot stand where it does
   */
  static void check(List<KeyPart> parts) {
    new FormatCheck(parts).check();
  }

  private void check() {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a format has at least one part");
    }
    int bits = 0;
    for (int i = 0; i < parts.size(); i++) {
      KeyPart part = parts.get(i);
      boolean packed = part instanceof ValuePart value && value.type() instanceof BitsType;
      if (bits % Byte.SIZE != 0 && !packed) {
        throw bitsMissing(i - 1, bits);
      }
      if (part instanceof ValuePart value) {
        checkValue(i, value);
        bits = packed ? bits + value.type().widthBits() : 0;
      }
    }
    if (bits % Byte.SIZE != 0) {
      throw bitsMissing(parts.size() - 1, bits);
    }
    if (indexes.isEmpty()) {
      throw new PartRefused(0, "the format has no part with a value; add one: id long");
    }
    for (int i = 0; i < parts.size(); i++) {
      checkComputed(i);
    }
  }

  private static PartRefused bitsMissing(int index, int bits) {
    int missing = Byte.SIZE - bits % Byte.SIZE;
    return new PartRefused(
        index, "neighbouring bits fill whole bytes; add a part of bits(" + missing + ")");
  }

  private void checkValue(int index, ValuePart part) {
    if (indexes.put(part.name(), index) != null) {
      throw new PartRefused(index, "an earlier part has this name; choose another one");
    }
    boolean last = index == parts.size() - 1;
    if (part.type().mustBeOpen(part.descending()) && (!last || part.descending())) {
      throw new PartRefused(
          index,
          part.type()
              + " has no end, so it is the last part and ascending; "
              + "use bytes(escaped) or a fixed width elsewhere");
    }
  }

  private void checkComputed(int index) {
    List<String> of = List.of();
    boolean modulo = false;
    if (parts.get(index) instanceof SaltPart salt) {
      of = salt.of();
      modulo = salt.bucketing() instanceof Bucketing.Modulo;
      if (index != 0) {
        throw new PartRefused(index, "a salt is the first part; move it");
      }
    } else if (parts.get(index) instanceof HashPart hash) {
      of = hash.of();
      if (index == parts.size() - 1) {
        throw new PartRefused(index, "a hash comes before the parts that it is of; move it");
      }
    }
    for (String name : of) {
      Integer at = indexes.get(name);
      if (at == null || at < index) {
        throw new PartRefused(index, "no later part is named \"" + name + "\"");
      }
      ValuePart named = (ValuePart) parts.get(at);
      if (!modulo && named.type() instanceof BitsType) {
        throw new PartRefused(
            index, name + " shares bytes with other parts; leave out \"of\", or name others");
      }
    }
  }

  /** Thrown for a part that cannot stand where it does. */
  static final class PartRefused extends IllegalArgumentException {
    private final int index;
    private final String reason;

    PartRefused(int index, String reason) {
      super("part " + (index + 1) + ": " + reason);
      this.index = index;
      this.reason = reason;
    }

    int index() {
      return index;
    }

    String reason() {
      return reason;
    }
  }
}
