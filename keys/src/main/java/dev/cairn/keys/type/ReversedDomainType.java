package dev.cairn.keys.type;

/**
 * Names of domains with their labels in reverse order, so that the hosts of a domain are
 * neighbours: www.example.com is written as com.example.www. 00 ends the name, unless it ends an
 * ascending key.
 */
public record ReversedDomainType() implements KeyType {
  private static final char DOT = '.';

  @Override
  public Class<String> valueClass() {
    return String.class;
  }

  @Override
  public int widthBits() {
    return VARIABLE;
  }

  /** Names do not sort as their text does. */
  @Override
  public boolean isOrdered() {
    return false;
  }

  @Override
  public void write(Object value, KeyOutput out, boolean open) {
    if (!(value instanceof String domain)) {
      throw KeyType.refused(this, value);
    }
    Terminated.write(Text.utf8(reversed(domain)), out, open, this);
  }

  @Override
  public Object read(KeyInput in, boolean open) {
    return reversed(Text.string(Terminated.read(in, open), in));
  }

  /** Returns the labels in reverse order. Twice reversed, a name is the same, empty labels too. */
  static String reversed(String domain) {
    StringBuilder reversed = new StringBuilder(domain.length());
    int end = domain.length();
    while (true) {
      int dot = domain.lastIndexOf(DOT, end - 1);
      reversed.append(domain, dot + 1, end);
      if (dot < 0) {
        return reversed.toString();
      }
      reversed.append(DOT);
      end = dot;
    }
  }

  @Override
  public String print(Object value) {
    return Text.quote((String) value);
  }

  @Override
  public Object parse(String text) {
    return Text.unquote(text);
  }

  @Override
  public String toString() {
    return "reversed_domain";
  }
}
