package dev.cairn.server.advise;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.StoreFigures;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import dev.cairn.server.traffic.sample.CallHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Calls of a table, made from a seed, and recorded as a server does. */
final class Trace {
  static final int SECONDS = 60;
  static final int CALLS_OF_SECOND = 100;
  static final long BEGAN = 1_700_000_000_000L;

  private final CallHistory history = new CallHistory();
  private OptionalInt servers = OptionalInt.of(4);
  private final SplittableRandom random;
  private TableSchema schema = TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));
  private List<byte[]> borders = List.of();
  private List<StoreFigures> files = List.of();
  private List<IndexFigures> indexes = List.of();
  private long calls;

  Trace(long seed) {
    random = new SplittableRandom(seed);
    System.out.println("Trace from seed " + seed);
  }

  SplittableRandom random() {
    return random;
  }

  Trace of(FamilySchema... families) {
    schema = TableSchema.of(TableName.parse("t"), families);
    return this;
  }

  /** Declares the format of row keys. */
  Trace format(String format) {
    schema = schema.with("KEY_FORMAT", format);
    return this;
  }

  /** Declares an index, and sets its figures. */
  Trace index(String columns, IndexFigures figures) {
    schema = schema.with("cairn.index." + figures.name(), columns);
    indexes = List.of(figures);
    return this;
  }

  /** Returns a scan of some rows whose filter indexes of columns could serve. */
  static LoadSample filtered(String low, int rows, int hidden, long nanos, String... columns) {
    LoadSample scan = scan(low, low + "9", rows, hidden);
    return new LoadSample(
        Kind.SCAN,
        scan.row(),
        scan.low(),
        scan.high(),
        1,
        rows,
        hidden,
        scan.bytes(),
        0,
        nanos,
        List.of(columns));
  }

  Trace split(String... rows) {
    borders = List.of(rows).stream().map(Bytes::utf8).toList();
    return this;
  }

  Trace files(StoreFigures... figures) {
    files = List.of(figures);
    return this;
  }

  /** Writes one row for each number, {@value #CALLS_OF_SECOND} in a second. */
  Trace writes(IntFunction<String> row) {
    return calls(i -> call(Kind.WRITE, row.apply(i)));
  }

  Trace gets(IntFunction<String> row) {
    return calls(i -> call(Kind.GET, row.apply(i)));
  }

  /** Adds calls in each second, numbered from 0. */
  Trace calls(IntFunction<LoadSample> call) {
    for (int second = 0; second < SECONDS; second++) {
      List<LoadSample> samples = new ArrayList<>();
      for (int i = 0; i < CALLS_OF_SECOND; i++) {
        samples.add(call.apply(second * CALLS_OF_SECOND + i));
      }
      calls += samples.size();
      history.add("t", samples, BEGAN + second * 1_000L);
    }
    return this;
  }

  static LoadSample call(Kind kind, String row) {
    byte[] bytes = Bytes.utf8(row);
    return new LoadSample(kind, bytes, bytes, bytes, 1, 1, 0, 100, 0);
  }

  /** Returns a scan from a row to another, of some rows. */
  static LoadSample scan(String low, String high, int rows, int hidden) {
    return new LoadSample(
        Kind.SCAN,
        Bytes.utf8(high),
        Bytes.utf8(low),
        Bytes.utf8(high),
        1,
        rows,
        hidden,
        100L * rows,
        0);
  }

  /** Sets the number of region servers, which is 4 otherwise. */
  Trace servers(OptionalInt count) {
    servers = count;
    return this;
  }

  Observation seen() {
    return new Observation(
        new TableFacts(schema, borders, true, servers, 0, files, indexes, BEGAN + SECONDS * 1_000L),
        history.steps("t"));
  }

  Advice advice() {
    Advice advice = Adviser.on(seen());
    AdviceText.lines(List.of(advice)).forEach(System.out::println);
    return advice;
  }

  /** Returns the rules that speak. */
  List<Rule> rules() {
    return advice().findings().stream().map(Finding::rule).toList();
  }

  /** Returns figures of a family with one file in each of 4 stores, changed by {@code change}. */
  static StoreFigures figures(Function<Figures, Figures> change) {
    return change.apply(new Figures()).build();
  }

  /** Figures of files in which nothing is wrong. */
  static final class Figures {
    private int files = 4;
    private long dataBytes = 200L << 20;
    private long cells = 1_000_000;
    private long rows = 500_000;
    private long keyBytes = 30L * cells;
    private long valueBytes = 170L * cells;
    private long markers;
    private long expired;
    private long oldestPut = BEGAN - 86_400_000L;

    Figures files(int count) {
      files = count;
      return this;
    }

    Figures dataBytes(long bytes) {
      dataBytes = bytes;
      return this;
    }

    Figures rows(long count) {
      rows = count;
      return this;
    }

    Figures cells(long count) {
      cells = count;
      return this;
    }

    Figures cellBytes(long key, long value) {
      keyBytes = key * cells;
      valueBytes = value * cells;
      return this;
    }

    Figures markers(long count) {
      markers = count;
      return this;
    }

    Figures expired(long bytes, long oldestPutMillis) {
      expired = bytes;
      oldestPut = oldestPutMillis;
      return this;
    }

    private StoreFigures build() {
      return new StoreFigures(
          "f",
          4,
          files,
          dataBytes / 2,
          dataBytes,
          cells,
          rows,
          cells,
          keyBytes,
          valueBytes,
          markers,
          expired,
          oldestPut,
          0);
    }
  }
}
