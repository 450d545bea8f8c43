package dev.cairn.coprocessor.convert;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.server.request.MutationDecoder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/**
 * A mutation in HBase's class, which hooks see and change, and in the engine's. Both share the
 * cells until hooks replace them: a timestamp that one side sets is visible to the other. One
 * thread.
 */
public final class ShownMutation {
  private static final long NO_TTL = Long.MAX_VALUE;
  private static final String RETURN_RESULT = "_rr_";

  private final org.apache.hadoop.hbase.client.Mutation shown;
  private final Kind kind;
  private final Nonce nonce;

  /** The cells as they were last shown to hooks. */
  private CellBuffer cells = new CellBuffer(0, 0);

  private List<Cell> views = List.of();
  private long ttl = NO_TTL; // of the cells, milliseconds

  private ShownMutation(org.apache.hadoop.hbase.client.Mutation shown, Kind kind, Nonce nonce) {
    this.shown = shown;
    this.kind = kind;
    this.nonce = nonce;
  }

  /** Creates it for a client's mutation. */
  public static ShownMutation of(Mutation mutation) {
    byte[] row = mutation.row();
    NavigableMap<byte[], List<Cell>> none = families();
    long now = HConstants.LATEST_TIMESTAMP;
    org.apache.hadoop.hbase.client.Mutation shown =
        switch (mutation.kind()) {
          case PUT -> new Put(row, now, none);
          case DELETE -> new Delete(row, now, none);
          case INCREMENT -> timed(new Increment(row, now, none), mutation.timeRange());
          case APPEND -> timed(new Append(row, now, none), mutation.timeRange());
        };
    shown.setDurability(
        org.apache.hadoop.hbase.client.Durability.valueOf(mutation.durability().name()));
    mutation.attributes().forEach(shown::setAttribute);
    if (mutation.kind().isComputed()
        && !mutation.returnResult()
        && shown.getAttribute(RETURN_RESULT) == null) {
      shown.setAttribute(RETURN_RESULT, org.apache.hadoop.hbase.util.Bytes.toBytes(false));
    }
    ShownMutation made = new ShownMutation(shown, mutation.kind(), mutation.nonce());
    made.show(mutation.cells());
    made.ttl = shown.getTTL();
    return made;
  }

  /**
   * Creates it for a coprocessor's mutation.
   *
   * @throws DoNotRetryIOException if it is not a put, delete, increment or append
   */
  public static ShownMutation of(
      org.apache.hadoop.hbase.client.Mutation mutation, Nonce nonce, TableSchema schema)
      throws DoNotRetryIOException {
    ShownMutation made = new ShownMutation(mutation, kind(mutation), nonce);
    if (made.kind == Kind.DELETE && mutation.getFamilyCellMap().isEmpty()) {
      made.show(wholeRow(mutation, schema));
    }
    return made;
  }

  private static Kind kind(org.apache.hadoop.hbase.client.Mutation mutation)
      throws DoNotRetryIOException {
    if (mutation instanceof Put) {
      return Kind.PUT;
    } else if (mutation instanceof Delete) {
      return Kind.DELETE;
    } else if (mutation instanceof Increment) {
      return Kind.INCREMENT;
    } else if (mutation instanceof Append) {
      return Kind.APPEND;
    }
    throw new DoNotRetryIOException(
        mutation.getClass() + " is not a put, delete, increment or append");
  }

  /** Returns the markers of a delete that names no column. */
  private static CellBuffer wholeRow(
      org.apache.hadoop.hbase.client.Mutation mutation, TableSchema schema) {
    CellBuffer markers = new CellBuffer();
    for (FamilySchema family : schema.families()) {
      markers.add(
          mutation.getRow(),
          family.name(),
          Bytes.EMPTY,
          mutation.getTimestamp(),
          CellType.DELETE_FAMILY.code(),
          Bytes.EMPTY,
          Bytes.EMPTY);
    }
    return markers;
  }

  private static NavigableMap<byte[], List<Cell>> families() {
    return new TreeMap<>(org.apache.hadoop.hbase.util.Bytes.BYTES_COMPARATOR);
  }

  private static Increment timed(Increment increment, TimeRange range) {
    try {
      return range.equals(TimeRange.ALL)
          ? increment
          : increment.setTimeRange(range.from(), range.to());
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Append timed(Append append, TimeRange range) {
    return range.equals(TimeRange.ALL) ? append : append.setTimeRange(range.from(), range.to());
  }

  /** Returns the mutation for hooks, always the same object. */
  public org.apache.hadoop.hbase.client.Mutation shown() {
    return shown;
  }

  /** Returns its kind. */
  public Kind kind() {
    return kind;
  }

  /** Returns the row. */
  public byte[] row() {
    return shown.getRow();
  }

  /** Returns whether the client wants the cells that an increment or append computes. */
  public boolean returnsResult() {
    return kind == Kind.INCREMENT && ((Increment) shown).isReturnResults()
        || kind == Kind.APPEND && ((Append) shown).isReturnResults();
  }

  /** Replaces the cells that hooks see. */
  private void show(CellBuffer others) {
    NavigableMap<byte[], List<Cell>> map = shown.getFamilyCellMap();
    map.clear();
    for (Cell view : Cells.views(others)) {
      map.computeIfAbsent(CellUtil.cloneFamily(view), family -> new ArrayList<>()).add(view);
    }
    cells = others;
    views = flat(map);
  }

  private static List<Cell> flat(NavigableMap<byte[], List<Cell>> map) {
    List<Cell> all = new ArrayList<>();
    map.values().forEach(all::addAll);
    return all;
  }

  /** Returns the mutation to resolve, with the changes of hooks. Its cells get its time to live. */
  public Mutation asked() throws IOException {
    if (isChanged() || shown.getTTL() != ttl) {
      ttl = shown.getTTL();
      CellBuffer changed = copy();
      show(ttl == NO_TTL || kind == Kind.DELETE ? changed : MutationDecoder.withTtl(changed, ttl));
    }
    return engine(cells);
  }

  /**
   * Sets the timestamp of the first cell of a column. In HBase, hooks see the cell that the client
   * sent as the computed cell.
   *
   * @param computed the cell that an increment or append computes
   */
  public void stamp(dev.cairn.engine.cell.Cell computed) throws IOException {
    for (Cell cell : shown.get(computed.family(), computed.qualifier())) {
      if (cell.getTimestamp() == HConstants.LATEST_TIMESTAMP && cell instanceof ExtendedCell own) {
        own.setTimestamp(computed.timestamp());
      }
    }
  }

  /** Shows hooks the final cells of a put or delete. */
  public void resolved(Mutation mutation) {
    if (mutation.cells() != cells) {
      show(mutation.cells());
    }
  }

  /**
   * Returns the put or delete to write, with the changes that hooks have made after {@link
   * #resolved}.
   */
  public Mutation decided() throws IOException {
    if (isChanged()) {
      show(copy());
    }
    return engine(cells);
  }

  /**
   * Returns a put or delete that a coprocessor has added to this one: it is written with the same
   * durability and time to live.
   */
  public Mutation added(org.apache.hadoop.hbase.client.Mutation other, TableSchema schema)
      throws IOException {
    ShownMutation made = of(other, Nonce.NONE, schema);
    if (made.kind.isComputed()) {
      throw new DoNotRetryIOException(
          "A coprocessor added an " + made.kind + "; only puts and deletes can be added");
    }
    CellBuffer own = made.copy();
    long millis = shown.getTTL();
    return new Mutation(
        made.kind,
        other.getRow(),
        millis == NO_TTL || made.kind == Kind.DELETE ? own : MutationDecoder.withTtl(own, millis),
        durability(),
        TimeRange.ALL,
        false);
  }

  /** Shows hooks the cells of an added mutation with those of this one. */
  public void merge(org.apache.hadoop.hbase.client.Mutation other) {
    NavigableMap<byte[], List<Cell>> map = shown.getFamilyCellMap();
    other
        .getFamilyCellMap()
        .forEach(
            (family, more) -> map.computeIfAbsent(family, name -> new ArrayList<>()).addAll(more));
  }

  private boolean isChanged() {
    Iterator<Cell> known = views.iterator();
    for (List<Cell> family : shown.getFamilyCellMap().values()) {
      for (Cell cell : family) {
        if (!known.hasNext() || known.next() != cell) {
          return true;
        }
      }
    }
    return known.hasNext();
  }

  private CellBuffer copy() throws IOException {
    CellBuffer copy = new CellBuffer();
    for (List<Cell> family : shown.getFamilyCellMap().values()) {
      for (Cell cell : family) {
        Cells.add(cell, copy);
      }
    }
    return copy;
  }

  private Durability durability() {
    return Durability.valueOf(shown.getDurability().name());
  }

  private Mutation engine(CellBuffer own) {
    return new Mutation(
        kind,
        shown.getRow(),
        own,
        durability(),
        timeRange(),
        returnsResult(),
        nonce,
        shown.getAttributesMap());
  }

  private TimeRange timeRange() {
    org.apache.hadoop.hbase.io.TimeRange range =
        kind == Kind.INCREMENT
            ? ((Increment) shown).getTimeRange()
            : kind == Kind.APPEND ? ((Append) shown).getTimeRange() : null;
    return range == null ? TimeRange.ALL : new TimeRange(range.getMin(), range.getMax());
  }

  /** Returns HBase's object for a condition and mutations. */
  public static org.apache.hadoop.hbase.client.CheckAndMutate checked(
      org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition condition,
      List<ShownMutation> mutations)
      throws IOException {
    return ProtobufUtil.toCheckAndMutate(
        condition, mutations.stream().map(ShownMutation::shown).toList());
  }
}
