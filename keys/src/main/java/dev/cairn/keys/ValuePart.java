package dev.cairn.keys;

import dev.cairn.keys.type.KeyType;
import java.util.regex.Pattern;

/**
 * A part that holds a value.
 *
 * @param name the name, which is unique in the key
 * @param type the type of the value
 * @param descending whether greater values sort first; all bytes are inverted then
 */
public record ValuePart(String name, KeyType type, boolean descending) implements KeyPart {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** Checks the name. */
  public ValuePart {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "\"" + name + "\" is not a name: a letter or _, then letters, digits and _");
    }
    if (FormatText.isReserved(name)) {
      throw new IllegalArgumentException(name + " is a reserved word; choose another name");
    }
  }

  /** Creates a part of a type that the text form names, such as {@code string(20)}. */
  static ValuePart of(String name, String type, boolean descending) {
    return new ValuePart(name, FormatText.type(type), descending);
  }

  /** Returns whether greater values have lesser bytes. */
  boolean sortsGreatestFirst() {
    return descending != type.isReversed();
  }

  @Override
  public String toString() {
    return name + " " + type + (descending ? " desc" : "");
  }
}
