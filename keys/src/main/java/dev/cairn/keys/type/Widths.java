package dev.cairn.keys.type;

/** Checks of the widths that a declaration names. */
final class Widths {
  private Widths() {}

  static void check(String type, int width, int most) {
    if (width < 1 || width > most) {
      throw new IllegalArgumentException(type + "(" + width + "): the width is from 1 to " + most);
    }
  }
}
