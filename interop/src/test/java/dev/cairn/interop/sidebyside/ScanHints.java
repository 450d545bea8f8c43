package dev.cairn.interop.sidebyside;

import dev.cairn.engine.scan.IndexHint;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Scan.ReadType;

/**
 * How a scan is to be done.
 *
 * @param rows how many rows at most; 0 for all
 * @param batch how many cells of a row come at once at most; 0 for all
 * @param caching how many rows come in one call; 0 for the client's default
 * @param bytes how much comes in one call, about; 0 for the client's default
 * @param partial whether parts of rows may come
 * @param cursor whether to tell now and then how far the scan is
 * @param onDemand whether families are read late; empty for the client's default
 * @param prefix whether range is one of rows that begin alike, and is asked for as such
 * @param index whether Cairn uses an index; empty for its default
 */
record ScanHints(
    int rows,
    int batch,
    int caching,
    long bytes,
    boolean partial,
    boolean cursor,
    boolean uncommitted,
    boolean cacheBlocks,
    boolean prefetch,
    ReadType type,
    Optional<Boolean> onDemand,
    boolean prefix,
    Optional<IndexHint> index) {
  /** Whatever the client does by itself. */
  static final ScanHints NONE =
      new ScanHints(
          0,
          0,
          0,
          0,
          false,
          false,
          false,
          true,
          false,
          ReadType.DEFAULT,
          Optional.empty(),
          false,
          Optional.empty());

  /** Returns this without saying how much comes in one call. */
  ScanHints withoutBytes() {
    return new ScanHints(
        rows,
        batch,
        caching,
        0,
        partial,
        cursor,
        uncommitted,
        cacheBlocks,
        prefetch,
        type,
        onDemand,
        prefix,
        index);
  }

  /** Returns this with a hint on the use of indexes. */
  ScanHints with(IndexHint hint) {
    return new ScanHints(
        rows,
        batch,
        caching,
        bytes,
        partial,
        cursor,
        uncommitted,
        cacheBlocks,
        prefetch,
        type,
        onDemand,
        prefix,
        Optional.of(hint));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(rows > 0 ? " rows " + rows : "");
    text.append(batch > 0 ? " batch " + batch : "");
    text.append(caching > 0 ? " caching " + caching : "");
    text.append(bytes > 0 ? " bytes " + bytes : "");
    text.append(partial ? " partial" : "");
    text.append(cursor ? " cursor" : "");
    text.append(uncommitted ? " uncommitted" : "");
    text.append(prefetch ? " prefetch" : "");
    text.append(type == ReadType.DEFAULT ? "" : " " + type);
    text.append(onDemand.map(on -> " onDemand " + on).orElse(""));
    text.append(prefix ? " prefix" : "");
    text.append(index.map(hint -> " index " + hint).orElse(""));
    return text.isEmpty() ? "plain" : text.substring(1);
  }
}
