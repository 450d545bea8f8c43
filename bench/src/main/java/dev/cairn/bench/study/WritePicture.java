package dev.cairn.bench.study;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;

/**
 * A picture of where the writes went: time runs to the right, and rows from top to bottom, in the
 * order of their keys. A diagonal line tells that all writes go to one place that moves; an even
 * colour tells that they are spread. The time of a row is the timestamp of its last cell, so rows
 * that are written again count once.
 */
final class WritePicture {
  private static final int COLUMNS = 90;
  private static final int ROWS = 45;
  private static final int CELL_PIXELS = 4;
  private static final int CACHING = 10_000;

  /** The timestamps of rows, in the order of their keys. */
  private final long[] times;

  private WritePicture(long[] times) {
    this.times = times;
  }

  /** Reads a table. */
  static WritePicture of(Connection connection, TableName table) throws IOException {
    long[] times = new long[1 << 10];
    int count = 0;
    try (Table opened = connection.getTable(table);
        ResultScanner rows =
            opened.getScanner(new Scan().setCaching(CACHING).setFilter(new KeyOnlyFilter()))) {
      for (Result row : rows) {
        if (count == times.length) {
          times = Arrays.copyOf(times, 2 * count);
        }
        times[count++] =
            Arrays.stream(row.rawCells()).mapToLong(cell -> cell.getTimestamp()).max().orElse(0);
      }
    }
    return new WritePicture(Arrays.copyOf(times, count));
  }

  /** Writes it as a PNG file. */
  void write(Path file) throws IOException {
    ImageIO.write(draw(), "png", file.toFile());
  }

  private BufferedImage draw() {
    int[][] counts = counts();
    int most = Arrays.stream(counts).flatMapToInt(Arrays::stream).max().orElse(0);
    BufferedImage image =
        new BufferedImage(COLUMNS * CELL_PIXELS, ROWS * CELL_PIXELS, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        // The square root makes places with few writes visible.
        int count = counts[y / CELL_PIXELS][x / CELL_PIXELS];
        double heat = most == 0 ? 0 : Math.sqrt(count / (double) most);
        image.setRGB(x, y, color(heat).getRGB());
      }
    }
    return image;
  }

  private int[][] counts() {
    long from = Arrays.stream(times).min().orElse(0);
    long length = Arrays.stream(times).max().orElse(0) - from + 1;
    int[][] counts = new int[ROWS][COLUMNS];
    for (int i = 0; i < times.length; i++) {
      int x = (int) ((times[i] - from) * COLUMNS / length);
      counts[(int) ((long) i * ROWS / times.length)][x]++;
    }
    return counts;
  }

  /** From white over orange to dark red. */
  private static Color color(double heat) {
    float from = (float) heat;
    return from < 0.5f
        ? new Color(1f, 1f - from * 0.7f, 1f - 2 * from)
        : new Color(1f - (from - 0.5f) * 1.2f, 0.65f - (from - 0.5f) * 1.3f, 0f);
  }
}
