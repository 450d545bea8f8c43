package dev.cairn.shell.language;

/** Reads the characters of a script one by one, with their positions. */
final class Source {
  private final String characters;
  private final int offset;
  private int at;
  private int line;
  private int lineStart;

  /** Creates a reader of a script whose first character is at {@code start}. */
  Source(String characters, Position start) {
    this.characters = characters;
    this.line = start.line();
    this.offset = start.column();
  }

  boolean atEnd() {
    return at >= characters.length();
  }

  /** Returns the next character without reading it; the character 0 at the end. */
  char peek() {
    return peek(0);
  }

  /** Returns the character after {@code skipped} others; the character 0 after the end. */
  char peek(int skipped) {
    return at + skipped < characters.length() ? characters.charAt(at + skipped) : 0;
  }

  /** Reads a character. */
  char next() {
    char c = characters.charAt(at++);
    if (c == '\n') {
      line++;
      lineStart = at;
    }
    return c;
  }

  /** Reads these characters if they are next, and tells whether they were. */
  boolean take(String wanted) {
    if (!characters.startsWith(wanted, at)) {
      return false;
    }
    for (int i = 0; i < wanted.length(); i++) {
      next();
    }
    return true;
  }

  Position position() {
    return new Position(line, at - lineStart + (lineStart == 0 ? offset : 1));
  }

  int index() {
    return at;
  }

  /** Returns the characters from {@code begin} to the next one. */
  String since(int begin) {
    return characters.substring(begin, at);
  }
}
