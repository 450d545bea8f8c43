package dev.cairn.interop.sidebyside;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.scan.IndexHint;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.torture.model.Change;
import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.Tag;
import dev.cairn.torture.model.Text;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Puts steps into the words of Apache's client.
 *
 * @param moments what time it is at the server
 */
record ClientRequests(Moments moments) {
  Get get(Step.Get step) throws IOException {
    Query query = step.query();
    Get get = new Get(Text.bytes(query.start())).readVersions(query.maxVersions());
    if (!query.range().equals(TimeRange.ALL)) {
      get.setTimeRange(from(query.range()), to(query.range()));
    }
    query
        .families()
        .forEach(
            (family, wanted) -> {
              byte[] name = Text.bytes(family);
              if (wanted.qualifiers().isEmpty()) {
                get.addFamily(name);
              }
              wanted.qualifiers().forEach(column -> get.addColumn(name, Text.bytes(column)));
              wanted
                  .range()
                  .ifPresent(range -> get.setColumnFamilyTimeRange(name, from(range), to(range)));
            });
    if (query.limit() >= 0) {
      get.setMaxResultsPerColumnFamily(query.limit());
    }
    if (query.offset() > 0) {
      get.setRowOffsetPerColumnFamily(query.offset());
    }
    step.sieve().ifPresent(sieve -> get.setFilter(sieve.maker().get()));
    return step.existence() ? get.setCheckExistenceOnly(true) : get;
  }

  Scan scan(Step.Scan step) throws IOException {
    Query query = step.query();
    ScanHints hints = step.hints();
    Scan scan = new Scan().readVersions(query.maxVersions()).setReversed(query.reversed());
    if (hints.prefix()) {
      scan.setStartStopRowForPrefixScan(Text.bytes(query.start()));
    } else {
      scan.withStartRow(Text.bytes(query.start()), query.includeStart())
          .withStopRow(Text.bytes(query.stop()), query.includeStop());
    }
    if (!query.range().equals(TimeRange.ALL)) {
      scan.setTimeRange(from(query.range()), to(query.range()));
    }
    query
        .families()
        .forEach(
            (family, wanted) -> {
              byte[] name = Text.bytes(family);
              if (wanted.qualifiers().isEmpty()) {
                scan.addFamily(name);
              }
              wanted.qualifiers().forEach(column -> scan.addColumn(name, Text.bytes(column)));
              wanted
                  .range()
                  .ifPresent(range -> scan.setColumnFamilyTimeRange(name, from(range), to(range)));
            });
    if (query.limit() >= 0) {
      scan.setMaxResultsPerColumnFamily(query.limit());
    }
    if (query.offset() > 0) {
      scan.setRowOffsetPerColumnFamily(query.offset());
    }
    step.sieve().ifPresent(sieve -> scan.setFilter(sieve.maker().get()));
    scan.setRaw(query.raw())
        .setCacheBlocks(hints.cacheBlocks())
        .setAllowPartialResults(hints.partial())
        .setNeedCursorResult(hints.cursor())
        .setReadType(hints.type())
        .setAsyncPrefetch(hints.prefetch());
    hints
        .index()
        .ifPresent(hint -> scan.setAttribute(IndexHint.ATTRIBUTE, Text.bytes(hint.name())));
    if (hints.rows() > 0) {
      scan.setLimit(hints.rows());
    }
    if (hints.batch() > 0) {
      scan.setBatch(hints.batch());
    }
    if (hints.caching() > 0) {
      scan.setCaching(hints.caching());
    }
    if (hints.bytes() > 0) {
      scan.setMaxResultSize(hints.bytes());
    }
    if (hints.uncommitted()) {
      scan.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
    }
    hints.onDemand().ifPresent(scan::setLoadColumnFamiliesOnDemand);
    return scan;
  }

  RowMutations together(List<Change> changes) throws IOException {
    RowMutations all = new RowMutations(Text.bytes(changes.get(0).row()));
    for (Change change : changes) {
      all.add(mutation(change));
    }
    return all;
  }

  CheckAndMutate check(Step.CheckAndChange step) throws IOException {
    Step.Check check = step.check();
    CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(Text.bytes(check.row()));
    byte[] family = Text.bytes(check.family());
    byte[] qualifier = Text.bytes(check.qualifier());
    if (check.sieve().isPresent()) {
      builder.ifMatches(check.sieve().get().maker().get());
    } else if (check.value().isPresent()) {
      builder.ifMatches(family, qualifier, check.operator(), Text.bytes(check.value().get()));
    } else {
      builder.ifNotExists(family, qualifier);
    }
    if (!check.range().equals(TimeRange.ALL)) {
      builder.timeRange(
          org.apache.hadoop.hbase.io.TimeRange.between(from(check.range()), to(check.range())));
    }
    if (step.changes().size() > 1) {
      return builder.build(together(step.changes()));
    }
    Mutation mutation = mutation(step.changes().get(0));
    return switch (step.changes().get(0).kind()) {
      case PUT -> builder.build((Put) mutation);
      case DELETE -> builder.build((Delete) mutation);
      case INCREMENT -> builder.build((Increment) mutation);
      case APPEND -> builder.build((Append) mutation);
    };
  }

  org.apache.hadoop.hbase.io.TimeRange range(TimeRange range) {
    return org.apache.hadoop.hbase.io.TimeRange.between(from(range), to(range));
  }

  Mutation mutation(Change change) throws IOException {
    byte[] row = Text.bytes(change.row());
    Mutation mutation =
        switch (change.kind()) {
          case PUT -> put(row, change);
          case DELETE -> delete(row, change);
          case INCREMENT -> increment(row, change);
          case APPEND -> append(row, change);
        };
    mutation.setDurability(Durability.valueOf(change.durability().name()));
    if (change.kind() != Kind.DELETE && !change.cells().isEmpty()) {
      Tag.ttlOf(change.cells().get(0).tags()).ifPresent(mutation::setTTL);
    }
    return mutation.getDurability() == Durability.SKIP_WAL
        ? mutation
        : withAttribute(mutation, change);
  }

  private static Mutation withAttribute(Mutation mutation, Change change) {
    mutation.setAttribute("note", Bytes.toBytes(change.cells().size())); // nobody reads it
    return mutation;
  }

  private static Put put(byte[] row, Change change) {
    Put put = new Put(row);
    for (Change.Part part : change.cells()) {
      byte[] family = Text.bytes(part.family());
      byte[] column = Text.bytes(part.qualifier());
      if (part.timestamp() == Cell.LATEST_TIMESTAMP) {
        put.addColumn(family, column, Text.bytes(part.value()));
      } else {
        put.addColumn(family, column, part.timestamp(), Text.bytes(part.value()));
      }
    }
    return put;
  }

  private static Delete delete(byte[] row, Change change) {
    Delete delete = new Delete(row);
    for (Change.Part part : change.cells()) {
      byte[] family = Text.bytes(part.family());
      byte[] column = Text.bytes(part.qualifier());
      long time = part.timestamp();
      switch (part.type()) {
        case DELETE -> delete.addColumn(family, column, time);
        case DELETE_COLUMN -> delete.addColumns(family, column, time);
        case DELETE_FAMILY -> delete.addFamily(family, time);
        case DELETE_FAMILY_VERSION -> delete.addFamilyVersion(family, time);
        default -> throw new IllegalArgumentException(part.toString());
      }
    }
    return delete;
  }

  private Increment increment(byte[] row, Change change) throws IOException {
    Increment increment = new Increment(row).setReturnResults(change.resultWanted());
    for (Change.Part part : change.cells()) {
      increment.add(cell(row, part));
    }
    if (!change.range().equals(TimeRange.ALL)) {
      increment.setTimeRange(from(change.range()), to(change.range()));
    }
    return increment;
  }

  private Append append(byte[] row, Change change) {
    Append append = new Append(row).setReturnResults(change.resultWanted());
    change.cells().forEach(part -> append.add(cell(row, part)));
    if (!change.range().equals(TimeRange.ALL)) {
      append.setTimeRange(from(change.range()), to(change.range()));
    }
    return append;
  }

  private static org.apache.hadoop.hbase.Cell cell(byte[] row, Change.Part part) {
    return CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
        .setRow(row)
        .setFamily(Text.bytes(part.family()))
        .setQualifier(Text.bytes(part.qualifier()))
        .setTimestamp(part.timestamp())
        .setType(org.apache.hadoop.hbase.Cell.Type.Put)
        .setValue(Text.bytes(part.value()))
        .build();
  }

  private long from(TimeRange range) {
    return moments.ofServer(range.from());
  }

  private long to(TimeRange range) {
    return moments.ofServer(range.to());
  }
}
