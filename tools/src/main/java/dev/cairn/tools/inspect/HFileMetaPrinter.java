package dev.cairn.tools.inspect;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.inspect.HFileInspector;
import dev.cairn.engine.hfile.reader.HFileInfo;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Prints the metadata of a store file. */
final class HFileMetaPrinter {
  private static final Set<String> LONGS =
      Set.of(
          "MAX_SEQ_ID_KEY",
          "DELETE_FAMILY_COUNT",
          "EARLIEST_PUT_TS",
          "MAX_MEMSTORE_TS_KEY",
          "hfile.CREATE_TIME_TS",
          "BULKLOAD_TIMESTAMP");
  private static final Set<String> INTS =
      Set.of("hfile.AVG_KEY_LEN", "hfile.AVG_VALUE_LEN", "KEY_VALUE_VERSION", "hfile.MAX_TAGS_LEN");
  private static final Set<String> FLAGS =
      Set.of(
          "MAJOR_COMPACTION_KEY",
          "hfile.TAGS_COMPRESSED",
          "EXCLUDE_FROM_MINOR_COMPACTION",
          "HISTORICAL");
  private static final String INDENT = "    ";

  private final HFileInspector file;
  private final HFileInfo info;
  private final String name;
  private final PrintWriter out;

  HFileMetaPrinter(HFileInspector file, String name, PrintWriter out) {
    this.file = file;
    this.info = file.reader().info();
    this.name = name;
    this.out = out;
  }

  void print() throws IOException {
    out.println("Block index size as per heapsize: " + file.rootIndexWeight());
    printReader();
    printTrailer();
    out.println("Fileinfo:");
    for (Map.Entry<byte[], byte[]> entry : info.fileInfo().entrySet()) {
      String key = Bytes.utf8(entry.getKey());
      out.println(INDENT + key + " = " + value(key, entry.getValue()));
    }
    out.println(
        file.midKey()
            .map(key -> "Mid-key: Optional[" + shortKey(key) + "]")
            .orElse("Unable to retrieve the midkey"));
    out.println("Bloom filter:");
    print(file.generalBloom());
    out.println("Delete Family Bloom filter:");
    print(file.deleteFamilyBloom());
  }

  private void printReader() {
    out.println("reader=" + name + ",");
    field("compression", compression().toLowerCase(Locale.ROOT), ",");
    field("cacheConf", "cacheDataOnRead=false", ",");
    field("cacheDataOnWrite", false, ",");
    field("cacheIndexesOnWrite", false, ",");
    field("cacheBloomsOnWrite", false, ",");
    field("cacheEvictOnClose", false, ",");
    field("cacheDataCompressed", false, ",");
    field("prefetchOnOpen", false, ",");
    field("firstKey", info.firstKey().map(HFileMetaPrinter::shortKey), ",");
    field("lastKey", info.lastKey().map(HFileMetaPrinter::shortKey), ",");
    field("avgKeyLen", average("hfile.AVG_KEY_LEN"), ",");
    field("avgValueLen", average("hfile.AVG_VALUE_LEN"), ",");
    field("entries", info.entryCount(), ",");
    field("length", file.reader().length(), "");
  }

  private void printTrailer() {
    HFileInspector.TrailerFields trailer = file.trailer();
    out.println("Trailer:");
    field("fileinfoOffset", trailer.fileInfoOffset(), ",");
    field("loadOnOpenDataOffset", trailer.loadOnOpenOffset(), ",");
    field("dataIndexCount", trailer.dataIndexCount(), ",");
    field("metaIndexCount", trailer.metaIndexCount(), ",");
    field("totalUncomressedBytes", trailer.totalUncompressedBytes(), ","); // as HBase spells it
    field("entryCount", trailer.entryCount(), ",");
    field("compressionCodec", compression(), ",");
    field("uncompressedDataIndexSize", trailer.uncompressedDataIndexSize(), ",");
    field("numDataIndexLevels", trailer.indexLevels(), ",");
    field("firstDataBlockOffset", trailer.firstDataBlockOffset(), ",");
    field("lastDataBlockOffset", trailer.lastDataBlockOffset(), ",");
    field("comparatorClassName", comparator(), ",");
    field("encryptionKey", "NONE", ",");
    field("majorVersion", trailer.majorVersion(), ",");
    field("minorVersion", trailer.minorVersion(), "");
  }

  private void field(String key, Object value, String end) {
    out.println(INDENT + key + "=" + value + end);
  }

  private String compression() {
    return info.compression().name();
  }

  /** The class that HBase 2.6 uses for an order, whatever name the file has for it. */
  private String comparator() {
    return "org.apache.hadoop.hbase."
        + (file.comparator() == CellComparator.META
            ? "MetaCellComparator"
            : "InnerStoreCellComparator");
  }

  private int average(String key) {
    byte[] value = info.fileInfo().get(Bytes.utf8(key));
    return value == null || value.length != Integer.BYTES ? 0 : Bytes.getInt(value, 0);
  }

  private String value(String key, byte[] value) {
    if (LONGS.contains(key) && value.length == Long.BYTES) {
      return Long.toString(Bytes.getLong(value, 0));
    }
    if (INTS.contains(key) && value.length == Integer.BYTES) {
      return Integer.toString(Bytes.getInt(value, 0));
    }
    if (FLAGS.contains(key) && value.length == 1) {
      return Boolean.toString(value[0] != 0);
    }
    return switch (key) {
      case "TIMERANGE" -> info.minTimestamp() + "...." + info.maxTimestamp();
      case "hfile.LASTKEY" ->
          info.lastKey().map(HFileMetaPrinter::indexKey).orElse(Bytes.toStringBinary(value));
      default -> Bytes.toStringBinary(value);
    };
  }

  private void print(Optional<HFileInspector.BloomFields> bloom) {
    if (bloom.isEmpty()) {
      out.println(INDENT + "Not present");
      return;
    }
    HFileInspector.BloomFields fields = bloom.get();
    out.println(INDENT + "BloomSize: " + fields.byteSize());
    out.println(INDENT + "No of Keys in bloom: " + fields.keyCount());
    out.println(INDENT + "Max Keys for bloom: " + fields.keyCountMax());
    if (fields.keyCountMax() > 0) {
      long filled = Math.round(fields.keyCount() * 100.0 / fields.keyCountMax());
      out.println(INDENT + "Percentage filled: " + filled + "%");
    }
    out.println(INDENT + "Number of chunks: " + fields.chunkCount());
    out.println(INDENT + "Comparator: " + bloomComparator(fields.comparatorName()));
  }

  /** HBase compares the columns of a filter in the order of user tables, those of meta as well. */
  private static String bloomComparator(String stored) {
    return stored.isEmpty() || stored.endsWith("ByteArrayComparator")
        ? "ByteArrayComparator"
        : "CellComparatorImpl";
  }

  /** Returns a key without the lengths that a key alone does not have. */
  private static String shortKey(Cell key) {
    return key.toString().replaceFirst("/vlen=0/seqid=(-?\\d+)$", "/seqid=$1");
  }

  /** Returns a key as HBase prints those of an index. */
  static String indexKey(Cell key) {
    return key.toString().replaceFirst("/vlen=0/seqid=(-?\\d+)$", "/vlen=0/mvcc=$1");
  }
}
