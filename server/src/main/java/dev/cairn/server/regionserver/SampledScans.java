package dev.cairn.server.regionserver;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.server.loadsplit.LoadSampler;
import dev.cairn.server.loadsplit.LoadSampler.Call;
import java.util.Arrays;

/**
 * Gives samples of a call of a scan to a sampler: rows that the response has, so that the load of a
 * long scan lies where it is at the time and not at its first row, and the range from its first row
 * to its last.
 */
final class SampledScans {
  private SampledScans() {}

  /**
   * Takes samples, if the sampler wants any.
   *
   * @param cells the cells of the response
   * @param place a row at which the call looked, for a response without cells
   * @param rows how many rows the call looked at
   * @param timed what {@link LoadSampler#beginScan} returned when the work began
   */
  static void sample(LoadSampler load, CellBuffer cells, byte[] place, long rows, long timed) {
    int looked = (int) Math.max(1, Math.min(Integer.MAX_VALUE, rows));
    int samples = load.samples(looked);
    if (timed != LoadSampler.UNTIMED) {
      load.endScan(row(load, cells, place), timed);
    }
    if (samples == 0) {
      return;
    }
    Call call = new Call(looked, 1, cells.byteSize(), 0);
    byte[] first = cells.isEmpty() ? place : cells.get(0).row();
    byte[] last = cells.isEmpty() ? place : cells.get(cells.size() - 1).row();
    boolean ascends = Arrays.compareUnsigned(first, last) <= 0;
    for (int i = 0; i < samples; i++) {
      load.add(
          row(load, cells, place), ascends ? first : last, ascends ? last : first, call, samples);
    }
  }

  private static byte[] row(LoadSampler load, CellBuffer cells, byte[] place) {
    return cells.isEmpty() ? place : cells.get(load.choose(cells.size())).row();
  }
}
