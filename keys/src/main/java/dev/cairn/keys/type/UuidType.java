package dev.cairn.keys.type;

import java.util.UUID;

/** UUIDs as their 16 bytes, in the order of their text. */
public record UuidType() implements KeyType {
  @Override
  public Class<UUID> valueClass() {
    return UUID.class;
  }

  @Override
  public int widthBits() {
    return 2 * Long.SIZE;
  }

  @Override
  public void write(Object value, KeyOutput out, boolean open) {
    if (!(value instanceof UUID uuid)) {
      throw KeyType.refused(this, value);
    }
    out.putNumber(uuid.getMostSignificantBits(), Long.BYTES);
    out.putNumber(uuid.getLeastSignificantBits(), Long.BYTES);
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    return new UUID(in.nextNumber(Long.BYTES), in.nextNumber(Long.BYTES));
  }

  @Override
  public Object parse(String text) {
    return UUID.fromString(text);
  }

  @Override
  public String toString() {
    return "uuid";
  }
}
