package dev.cairn.keys;

/** Where the parts of a key begin, and where their values end, before terminators. */
final class PartBounds {
  private final int[] starts;
  private final int[] ends;

  PartBounds(int parts) {
    starts = new int[parts];
    ends = new int[parts];
  }

  void set(int part, int start, int end) {
    starts[part] = start;
    ends[part] = end;
  }

  int start(int part) {
    return starts[part];
  }

  int end(int part) {
    return ends[part];
  }
}
