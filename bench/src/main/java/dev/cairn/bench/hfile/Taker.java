package dev.cairn.bench.hfile;

import dev.cairn.engine.cell.Cell;
import java.io.IOException;
import java.util.zip.CRC32C;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.io.ByteArrayOutputStream;

/**
 * The consumer of cells that were read: it takes every byte of key and value as a response does, in
 * the form of a KeyValue, through the method that each side has for that.
 */
final class Taker {
  private final byte[] taken = new byte[1024];
  private final ByteArrayOutputStream stream = new ByteArrayOutputStream(1024);

  /** Takes one of Cairn's cells; returns how many bytes it was. */
  int take(Cell cell) {
    return cell.writeTo(taken, 0, false);
  }

  /** Takes one of Apache's cells; returns how many bytes it was. */
  int take(ExtendedCell cell) throws IOException {
    stream.reset();
    cell.write(stream, false);
    return stream.size();
  }

  /** Adds the cell, taken and with its number, to {@code sum}. */
  void addTo(CRC32C sum, Cell cell) {
    sum.update(taken, 0, take(cell));
    sum.update((int) cell.sequence());
  }

  /** As {@link #addTo(CRC32C, Cell)}. */
  void addTo(CRC32C sum, ExtendedCell cell) throws IOException {
    int length = take(cell);
    sum.update(stream.getBuffer(), 0, length);
    sum.update((int) cell.getSequenceId());
  }
}
