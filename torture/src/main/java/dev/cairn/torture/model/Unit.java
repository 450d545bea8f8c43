package dev.cairn.torture.model;

/**
 * A part of a write that a crash keeps or loses as one: the logged part of a row, and the unlogged
 * part of each of its families. Ordered as they were written.
 *
 * @param write the number of the write
 * @param lasting its fate once it has been made
 * @param family the family, if it is not logged; else the empty string
 */
record Unit(long write, Fate lasting, String family) implements Comparable<Unit> {
  @Override
  public int compareTo(Unit other) {
    int order = Long.compare(write, other.write);
    order = order != 0 ? order : lasting.compareTo(other.lasting);
    return order != 0 ? order : family.compareTo(other.family);
  }
}
