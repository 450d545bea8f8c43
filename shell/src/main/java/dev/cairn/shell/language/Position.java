package dev.cairn.shell.language;

/**
 * A position in a script.
 *
 * @param line the line, counted from 1
 * @param column the character in the line, counted from 1
 */
public record Position(int line, int column) {
  @Override
  public String toString() {
    return "line " + line + ", column " + column;
  }
}
