package dev.cairn.coprocessor.region;

import com.google.protobuf.Message;
import com.google.protobuf.Service;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.ScanOptions;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/** Shows the arguments of hooks without times, ids and names of files. */
final class Shown {
  private Shown() {}

  /** Returns the text of an argument. */
  static String of(Object value) {
    if (value == null
        || value instanceof FSDataInputStreamWrapper
        || value instanceof CacheConfig) {
      return value instanceof FSDataInputStreamWrapper ? "in" : value == null ? "null" : "cache";
    } else if (value instanceof byte[] bytes) {
      return bytes.length == Long.BYTES && bytes[2] == 1 ? "now" : Bytes.toStringBinary(bytes);
    } else if (value instanceof Long) {
      return "size";
    } else if (value instanceof Query query) {
      return query(query);
    } else if (value instanceof Cell
        || value instanceof Mutation
        || value instanceof Result
        || value instanceof WALEdit
        || value instanceof WALKey
        || value instanceof MiniBatchOperationInProgress) {
      return written(value);
    } else if (value instanceof CheckAndMutate
        || value instanceof CheckAndMutateResult
        || value instanceof Filter
        || value instanceof ByteArrayComparable) {
      return checked(value);
    } else if (value instanceof Pair<?, ?> pair) {
      return of(pair.getFirst()) + "->" + of(pair.getSecond());
    } else if (value instanceof Collection<?> many) {
      boolean sorted = many.stream().anyMatch(one -> one instanceof Pair); // their order is chance
      return (sorted ? many.stream().map(Shown::of).sorted() : many.stream().map(Shown::of))
          .collect(Collectors.joining(", ", "[", "]"));
    } else if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> of(entry.getKey()) + "=" + of(entry.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    return kept(value);
  }

  /** Shows what belongs to stores, files and services. */
  private static String kept(Object value) {
    if (value instanceof RegionInfo info) {
      return "[" + of(info.getStartKey()) + ";" + of(info.getEndKey()) + "]";
    } else if (value instanceof Store store) {
      return store.getColumnFamilyName();
    } else if (value instanceof ScanOptions options) {
      return "versions="
          + (options.getMaxVersions() == Integer.MAX_VALUE ? "all" : options.getMaxVersions())
          + (options.getMinVersions() == 0 ? "" : " minimum=" + options.getMinVersions())
          + (options.getTTL() == Long.MAX_VALUE ? "" : " ttl=" + options.getTTL())
          + " deleted="
          + options.getKeepDeletedCells()
          + " "
          + of(options.getScan());
    } else if (value instanceof CompactionRequest request) {
      return "request of "
          + request.getFiles().size()
          + (request.isAllFiles() ? " all" : "")
          + (request.isMajor() ? " major" : "")
          + (request.isOffPeak() ? " off peak" : "");
    } else if (value instanceof FlushLifeCycleTracker) {
      return value == FlushLifeCycleTracker.DUMMY ? "dummy" : "tracker";
    } else if (value instanceof CompactionLifeCycleTracker) {
      return value == CompactionLifeCycleTracker.DUMMY ? "dummy" : "tracker";
    } else if (value instanceof InternalScanner) {
      return "scanner";
    } else if (value instanceof StoreFile || value instanceof Path) {
      return "file";
    } else if (value instanceof StoreFileReader) {
      return "reader";
    } else if (value instanceof Reference reference) {
      return Reference.isTopFileRegion(reference.getFileRegion()) ? "top half" : "bottom half";
    } else if (value instanceof FileSystem) {
      return "files";
    } else if (value instanceof DeleteTracker) {
      return "deletes";
    } else if (value instanceof Service service) {
      return service.getDescriptorForType().getName();
    } else if (value instanceof Message.Builder builder) {
      return "new " + builder.getDescriptorForType().getName();
    } else if (value instanceof Message message) {
      return message.getDescriptorForType().getName();
    }
    return value.toString().startsWith("file:") || value.toString().startsWith("hdfs:")
        ? "file"
        : value.toString();
  }

  private static String query(Query query) {
    List<String> texts = new ArrayList<>();
    Map<byte[], ? extends Collection<byte[]>> families;
    if (query instanceof Get get) {
      texts.add("Get " + of(get.getRow()));
      families = get.getFamilyMap();
      texts.add(get.getMaxVersions() == 1 ? "" : "versions=" + get.getMaxVersions());
      texts.add(get.isCheckExistenceOnly() ? "existence" : "");
      texts.add(get.getMaxResultsPerColumnFamily() < 0 ? "" : "some per family");
      texts.add(get.getCacheBlocks() ? "" : "uncached");
      texts.add(get.getTimeRange().isAllTime() ? "" : "times");
    } else {
      Scan scan = (Scan) query;
      texts.add(
          (scan.includeStartRow() ? "Scan [" : "Scan (")
              + of(scan.getStartRow())
              + ";"
              + of(scan.getStopRow())
              + (scan.includeStopRow() ? "]" : ")"));
      families = scan.getFamilyMap();
      texts.add(scan.getMaxVersions() == 1 ? "" : "versions=" + scan.getMaxVersions());
      texts.add(scan.getCaching() < 0 ? "" : "caching=" + scan.getCaching());
      texts.add(scan.getBatch() < 0 ? "" : "batch=" + scan.getBatch());
      texts.add(scan.getMaxResultSize() < 0 ? "" : "bytes=" + scan.getMaxResultSize());
      texts.add(scan.getLimit() < 0 ? "" : "limit=" + scan.getLimit());
      texts.add(scan.isReversed() ? "reversed" : "");
      texts.add(scan.isRaw() ? "raw" : "");
      texts.add(scan.getAllowPartialResults() ? "partial" : "");
      texts.add(scan.isNeedCursorResult() ? "cursor" : "");
      texts.add(scan.getReadType() == Scan.ReadType.DEFAULT ? "" : scan.getReadType().name());
      texts.add(scan.getCacheBlocks() ? "" : "uncached");
      texts.add(scan.getTimeRange().isAllTime() ? "" : "times");
    }
    families.forEach(
        (family, columns) -> texts.add(of(family) + (columns == null ? "" : ":" + of(columns))));
    texts.add(query.getFilter() == null ? "" : of(query.getFilter()));
    texts.add(query.getAttributesMap().isEmpty() ? "" : query.getAttributesMap().keySet() + "");
    return texts.stream().filter(text -> !text.isEmpty()).collect(Collectors.joining(" "));
  }

  private static String written(Object value) {
    if (value instanceof Cell cell) {
      return (cell.getType() == Cell.Type.Put ? "" : cell.getType() + " ")
          + of(CellUtil.cloneRow(cell))
          + "/"
          + of(CellUtil.cloneFamily(cell))
          + ":"
          + of(CellUtil.cloneQualifier(cell))
          + (cell.getValueLength() == 0 ? "" : "=" + of(CellUtil.cloneValue(cell)))
          + (cell.getTimestamp() == HConstants.LATEST_TIMESTAMP ? "@now" : "");
    } else if (value instanceof Mutation mutation) {
      return mutation.getClass().getSimpleName()
          + of(mutation.getFamilyCellMap().values().stream().flatMap(List::stream).toList());
    } else if (value instanceof Result result) {
      return result.rawCells() == null
          ? "no cells"
          : of(List.of(result.rawCells())) + (result.mayHaveMoreCellsInRow() ? "+" : "");
    } else if (value instanceof WALEdit edit) {
      return "edit" + of(edit.getCells());
    } else if (value instanceof WALKey key) {
      return key.getTableName().toString();
    }
    MiniBatchOperationInProgress<?> batch = (MiniBatchOperationInProgress<?>) value;
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      texts.add(
          of(batch.getOperation(i)) + " " + batch.getOperationStatus(i).getOperationStatusCode());
    }
    return texts.toString();
  }

  private static String checked(Object value) {
    if (value instanceof CheckAndMutate check) {
      return of(check.getRow())
          + (check.hasFilter()
              ? " " + of(check.getFilter())
              : " " + of(check.getFamily()) + ":" + of(check.getQualifier()))
          + " "
          + check.getCompareOp()
          + " "
          + of(check.getValue())
          + " "
          + of(check.getAction());
    } else if (value instanceof CheckAndMutateResult result) {
      return result.isSuccess() + " " + of(result.getResult());
    } else if (value instanceof ByteArrayComparable comparable) {
      return of(comparable.getValue());
    }
    return value.getClass().getSimpleName();
  }
}
