package dev.cairn.server.traffic.heatmap;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Draws a heat map as a PNG: time from left to right, rows from top to bottom, brighter for more
 * traffic on a logarithmic scale. Grey lines are the borders of regions; red marks at the top are
 * moments of splits, merges and moves. Stateless.
 *
 * <p>Writes the format itself (palette, one {@code IDAT} chunk), because {@code java.desktop} would
 * cost a server more memory than its pages.
 */
public final class HeatMapImage {
  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  private static final int WIDTH = 960;
  private static final int HEIGHT = 512;
  private static final int MARK_HEIGHT = 6;

  private static final int SHADES = 250;
  private static final byte BORDER = (byte) 251;
  private static final byte EVENT = (byte) 252;

  /** The colours from no traffic to the maximum: red, green, blue. */
  private static final int[][] RAMP = {
    {8, 8, 24}, {46, 16, 101}, {124, 29, 111}, {206, 66, 60}, {246, 148, 29}, {252, 248, 180}
  };

  private HeatMapImage() {}

  /** Returns the bytes of the picture. */
  public static byte[] png(HeatMap map) {
    int columns = map.values().length;
    int buckets = map.keys().size();
    int wide = Math.max(1, WIDTH / columns);
    int high = Math.max(1, HEIGHT / buckets);
    byte[][] pixels = new byte[MARK_HEIGHT + high * buckets][wide * columns];
    double most = Math.log1p(map.max());
    for (int column = 0; column < columns; column++) {
      for (int bucket = 0; bucket < buckets; bucket++) {
        double value = map.values()[column][bucket];
        byte shade = (byte) (most == 0 ? 0 : Math.round(SHADES * Math.log1p(value) / most));
        for (int y = 0; y < high; y++) {
          int from = column * wide;
          Arrays.fill(pixels[MARK_HEIGHT + bucket * high + y], from, from + wide, shade);
        }
      }
    }
    for (int bucket = 1; bucket < buckets; bucket++) {
      if (isBorder(map, map.keys().get(bucket))) {
        Arrays.fill(pixels[MARK_HEIGHT + bucket * high], BORDER);
      }
    }
    for (RegionEvent event : map.events()) {
      long column = (event.atMillis() - map.fromMillis()) / map.stepMillis();
      if (column >= 0 && column < columns) {
        for (int y = 0; y < MARK_HEIGHT; y++) {
          pixels[y][(int) column * wide] = EVENT;
        }
      }
    }
    return encoded(pixels);
  }

  private static boolean isBorder(HeatMap map, byte[] key) {
    return map.borders().stream().anyMatch(border -> Arrays.equals(border, key));
  }

  private static byte[] encoded(byte[][] pixels) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(SIGNATURE);
    // Eight bits for each pixel, a palette, no interlacing.
    byte[] header =
        ByteBuffer.allocate(13)
            .putInt(pixels[0].length)
            .putInt(pixels.length)
            .put(new byte[] {8, 3, 0, 0, 0})
            .array();
    chunk("IHDR", header, out);
    chunk("PLTE", palette(), out);
    chunk("IDAT", deflated(pixels), out);
    chunk("IEND", new byte[0], out);
    return out.toByteArray();
  }

  private static byte[] palette() {
    byte[] palette = new byte[3 * 256];
    for (int shade = 0; shade <= SHADES; shade++) {
      double place = shade * (RAMP.length - 1.0) / SHADES;
      int below = Math.min(RAMP.length - 2, (int) place);
      for (int i = 0; i < 3; i++) {
        double colour = RAMP[below][i] + (place - below) * (RAMP[below + 1][i] - RAMP[below][i]);
        palette[3 * shade + i] = (byte) Math.round(colour);
      }
    }
    for (int i = 0; i < 3; i++) {
      palette[3 * (BORDER & 0xff) + i] = (byte) 0x90;
    }
    palette[3 * (EVENT & 0xff)] = (byte) 0xff;
    return palette;
  }

  private static byte[] deflated(byte[][] pixels) {
    Deflater deflater = new Deflater();
    try {
      ByteArrayOutputStream lines = new ByteArrayOutputStream();
      for (byte[] line : pixels) {
        lines.write(0); // no filter
        lines.writeBytes(line);
      }
      deflater.setInput(lines.toByteArray());
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] buffer = new byte[8192];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }

  private static void chunk(String type, byte[] data, ByteArrayOutputStream out) {
    byte[] name = type.getBytes(StandardCharsets.US_ASCII);
    CRC32 crc = new CRC32();
    crc.update(name);
    crc.update(data);
    out.writeBytes(ByteBuffer.allocate(4).putInt(data.length).array());
    out.writeBytes(name);
    out.writeBytes(data);
    out.writeBytes(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }
}
