package dev.cairn.engine.store.index;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.bloom.BloomWriter;
import dev.cairn.engine.hfile.format.ByteSink;
import dev.cairn.engine.hfile.format.HFileSettings;
import dev.cairn.engine.hfile.writer.MetaBlockSource;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** Writes the index of a column: see {@link FileIndexFormat}. For one index; not thread-safe. */
final class FileIndexWriter {
  private final byte[] qualifier;
  private final MetaBlockSource.Sink sink;
  private final BloomWriter bloom;
  private final ByteSink firsts = new ByteSink(1 << 10);
  private final ByteSink chunk = new ByteSink(FileIndexFormat.CHUNK_BYTES + (4 << 10));
  private byte[] firstValue = {}; // of the chunk
  private byte[] firstRow = {};
  private byte[] value = {};
  private byte[] row = {};
  private int chunks;
  private long entries;

  FileIndexWriter(byte[] qualifier, MetaBlockSource.Sink sink) {
    this.qualifier = qualifier;
    this.sink = sink;
    this.bloom =
        new BloomWriter(
            bits -> {
              MetaBlockSource.Place place = sink.unnamed(bits);
              return new BloomWriter.Place(place.offset(), place.size());
            },
            "",
            HFileSettings.DEFAULTS);
  }

  /** Writes all entries of a cursor that stands before the first one. */
  void write(CellCursor sorted) throws IOException {
    boolean more = sorted.seek(Cell.firstOnRow(value));
    while (more) {
      add(sorted.cell().row(), sorted.cell().qualifier());
      more = sorted.next();
    }
    endChunk();
    ByteSink root = new ByteSink(firsts.size() + 16);
    root.putLong(entries);
    root.putInt(chunks);
    root.put(firsts.bytes(), 0, firsts.size());
    sink.named(FileIndexFormat.root(qualifier), bytes(root));
    if (entries > 0) {
      bloom.writeLastChunk();
      ByteSink filter = bloom.meta();
      ByteSink values = new ByteSink(ByteSink.MAX_PACKED_LENGTH + value.length + filter.size());
      values.putPacked(value.length);
      values.put(value, 0, value.length);
      values.put(filter.bytes(), 0, filter.size());
      sink.named(FileIndexFormat.values(qualifier), bytes(values));
    }
  }

  private void add(byte[] nextValue, byte[] nextRow) throws IOException {
    if (entries > 0 && Arrays.equals(value, nextValue) && Arrays.equals(row, nextRow)) {
      return; // several versions of a row with the same value
    }
    int shared = 0;
    if (chunk.size() == 0) {
      firstValue = nextValue;
      firstRow = nextRow;
    } else {
      int mismatch = Arrays.mismatch(value, nextValue);
      shared = mismatch < 0 ? nextValue.length : mismatch;
    }
    put(chunk, shared, nextValue, nextRow);
    bloom.add(nextValue, 0, nextValue.length);
    Optional<BloomWriter.Chunk> full = bloom.takeFullChunk();
    if (full.isPresent()) {
      bloom.write(full.get());
    }
    value = nextValue;
    row = nextRow;
    entries++;
    if (chunk.size() >= FileIndexFormat.CHUNK_BYTES) {
      endChunk();
    }
  }

  private static void put(ByteSink to, int shared, byte[] value, byte[] row) {
    to.putPacked(shared);
    to.putPacked(value.length - shared);
    to.put(value, shared, value.length - shared);
    to.putPacked(row.length);
    to.put(row, 0, row.length);
  }

  private void endChunk() throws IOException {
    if (chunk.size() > 0) {
      MetaBlockSource.Place place = sink.unnamed(bytes(chunk));
      chunks++;
      firsts.putLong(place.offset());
      firsts.putInt(place.size());
      put(firsts, 0, firstValue, firstRow);
      chunk.clear(FileIndexFormat.CHUNK_BYTES);
    }
  }

  private static byte[] bytes(ByteSink sink) {
    return Arrays.copyOf(sink.bytes(), sink.size());
  }
}
