package dev.cairn.server.page;

/** Writes HTML. All text and all values of attributes pass through its escaping. */
final class Html {
  private final StringBuilder out = new StringBuilder(16384);

  /** Appends markup that is a constant of the program. */
  Html markup(String constant) {
    out.append(constant);
    return this;
  }

  /**
   * Opens an element.
   *
   * @param attributes names and values in turns; an empty value omits the attribute
   */
  Html open(String element, String... attributes) {
    out.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      if (!attributes[i + 1].isEmpty()) {
        out.append(' ').append(attributes[i]).append("=\"");
        escape(attributes[i + 1]);
        out.append('"');
      }
    }
    out.append('>');
    return this;
  }

  /** Closes elements, the inner one first. */
  Html close(String... elements) {
    for (String element : elements) {
      out.append("</").append(element).append('>');
    }
    return this;
  }

  /** Appends text. */
  Html text(String text) {
    escape(text);
    return this;
  }

  /** Appends an element with text. */
  Html element(String element, String text, String... attributes) {
    return open(element, attributes).text(text).close(element);
  }

  private void escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(isShown(c) ? c : '\ufffd');
      }
    }
  }

  /** Tells whether a character is allowed in HTML and does not change the direction of text. */
  private static boolean isShown(char c) {
    boolean control = c < ' ' && c != '\n' && c != '\t' || c >= 0x7f && c < 0xa0;
    boolean turns = c >= '\u202a' && c <= '\u202e' || c >= '\u2066' && c <= '\u2069';
    return !control && !turns;
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
