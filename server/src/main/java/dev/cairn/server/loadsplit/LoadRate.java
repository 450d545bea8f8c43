package dev.cairn.server.loadsplit;

/**
 * The load of a region, by the measure that exceeds its threshold most.
 *
 * @param measure how it is measured
 * @param perSecond the rate
 */
public record LoadRate(LoadMeasure measure, double perSecond) {
  @Override
  public String toString() {
    return measure.format(perSecond);
  }
}
