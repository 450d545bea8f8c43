package dev.cairn.server.regionserver.client;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.server.loadsplit.LoadSampler;
import dev.cairn.server.loadsplit.LoadSampler.Call;
import java.util.Arrays;

/**
 * Samples a scan call: rows of the response, and the range from the first row to the last. The rows
 * show the current position of a long scan rather than its first row.
 */
final class SampledScans {
  private SampledScans() {}

  /**
   * Takes samples if the sampler selects the call.
   *
   * @param cells the cells of the response
   * @param place a row that the call examined, for a response without cells
   * @param rows how many rows the call examined
   * @param hidden of how many of them it returned nothing
   * @param timed the result of {@link LoadSampler#beginScan} when the work began
   * @param searched asked for the columns of the filter if samples are taken
   */
  static void sample(
      LoadSampler load,
      CellBuffer cells,
      byte[] place,
      long rows,
      long hidden,
      long timed,
      SearchedColumns searched) {
    int looked = (int) Math.max(1, Math.min(Integer.MAX_VALUE, rows));
    int samples = load.samples(looked);
    long nanos = timed == LoadSampler.UNTIMED ? 0 : load.endScan(row(load, cells, place), timed);
    if (samples == 0) {
      return;
    }
    Call call = Call.ofScan(looked, hidden, cells.byteSize(), nanos, searched.names());
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
