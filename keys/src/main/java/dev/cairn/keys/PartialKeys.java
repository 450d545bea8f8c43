package dev.cairn.keys;

import dev.cairn.keys.type.KeyOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Bytes of keys of which not all values are known. */
final class PartialKeys {
  private final KeyFormat format;
  private final KeyEncoder encoder;

  PartialKeys(KeyFormat format) {
    this.format = format;
    this.encoder = new KeyEncoder(format);
  }

  /** Returns the key, if all its values are known. */
  Optional<byte[]> complete(Map<String, Object> known) {
    List<Object> values = new ArrayList<>();
    for (ValuePart part : format.valueParts()) {
      if (!known.containsKey(part.name())) {
        return Optional.empty();
      }
      values.add(known.get(part.name()));
    }
    return Optional.of(encoder.encode(values.toArray()));
  }

  /** Returns the bytes of a salt or hash, if the known values suffice. */
  Optional<byte[]> computed(KeyPart part, Map<String, Object> known) {
    List<String> of = Computed.of(part);
    if (of.isEmpty() || !known.keySet().containsAll(of)) {
      return Optional.empty();
    }
    if (part instanceof SaltPart salt && salt.bucketing() instanceof Bucketing.Modulo) {
      ValuePart named = format.valueParts().get(format.indexOf(of.get(0)));
      return Optional.of(Computed.bytes(salt, Computed.modulo(salt, named, known.get(of.get(0)))));
    }
    KeyOutput hashed = new KeyOutput();
    for (String name : of) {
      KeyOutput one = new KeyOutput();
      append(format.valueParts().get(format.indexOf(name)), known.get(name), one);
      hashed.put(one.slice(0, one.contentEnd()));
    }
    return Optional.of(Computed.ofBytes(part, hashed.toBytes()));
  }

  /** Appends a value as it stands in a key. */
  void append(ValuePart part, Object value, KeyOutput out) {
    encoder.write(part, value, out);
  }

  static void append(byte[] bytes, KeyOutput out) {
    out.begin(false);
    out.put(bytes);
  }
}
