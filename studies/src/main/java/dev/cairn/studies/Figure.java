package dev.cairn.studies;

/**
 * A figure that a study measures itself.
 *
 * @param label what was measured, with the unit
 */
public record Figure(String label, double value) {}
