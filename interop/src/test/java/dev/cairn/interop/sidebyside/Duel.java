package dev.cairn.interop.sidebyside;

import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.torture.model.Text;
import dev.cairn.torture.model.Version;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * One table on both servers, and what the model makes of each. One thread.
 *
 * <p>There are two models. One removes nothing but what Cairn's major compactions were seen to
 * remove; Cairn has to answer as it does. The other removes what HBase's flushes and compactions
 * remove, and HBase has to answer as it does: it holds that the rules of the model are HBase's. As
 * long as HBase has flushed nothing they are the same, and so are all answers.
 */
final class Duel implements AutoCloseable {
  /** Ways to store cells with which HBase itself forgets markers or goes round for ever. */
  private static final Set<String> PHYSICAL = Set.of("DATA_BLOCK_ENCODING", "BLOOMFILTER");

  private static final int READS_AGAIN_MAX = 20;

  private final Server cairn;
  private final Optional<Server> hbase;
  private final TableSchema schema;
  private final Table onCairn;
  private final Optional<Table> onHBase;
  private final ClientSide cairnSide;
  private final Optional<ClientSide> hbaseSide;
  private final ModelSide ofCairn;
  private final ModelSide ofHBase;
  private final long base;
  private boolean cairnWasKept;
  private boolean hbaseWasKept;
  private boolean hbaseHoldsScanner;

  /**
   * Creates the table.
   *
   * @param hbase empty for a table that only Cairn and the model have
   * @param base the time of the step with number 0
   */
  Duel(Server cairn, Optional<Server> hbase, TableSchema schema, long base) throws IOException {
    this.cairn = cairn;
    this.hbase = hbase;
    this.schema = schema;
    this.base = base;
    this.onCairn = cairn.create(schema, Set.of());
    this.onHBase =
        hbase.isPresent() ? Optional.of(hbase.get().create(schema, PHYSICAL)) : Optional.empty();
    this.cairnSide = new ClientSide(onCairn, cairn.ofReads(schema), base);
    this.hbaseSide = onHBase.map(table -> new ClientSide(table, table, base));
    this.ofCairn = new ModelSide(schema, base);
    this.ofHBase = new ModelSide(schema, base);
  }

  /**
   * What differs.
   *
   * @param isOfCairn whether Cairn's answer is not the expected one; if not, HBase's is not
   */
  record Difference(boolean isOfCairn, String text) {
    static Optional<Difference> ofCairn(String text) {
      return Optional.of(new Difference(true, text));
    }
  }

  /** Does a step, the {@code number}-th; returns what differs, if anything does. */
  Optional<Difference> run(long number, Step step) throws IOException, InterruptedException {
    if (step instanceof Step.Housekeeping work) {
      return keep(number, work);
    }
    if (step instanceof Step.Indexes indexes) {
      cairn.index(schema, indexes.attributes());
      ofCairn.table().filed(); // the regions were opened anew
      return cairnWasKept(number, indexes.built() ? Step.Work.COMPACT : Step.Work.FLUSH);
    }
    Step.Request request = (Step.Request) step;
    Optional<Answer> expected = ofCairn.run(number, request);
    Optional<Answer> expectedOfHBase = ofHBase.run(number, request);
    Answer found = cairnSide.run(number, request);
    for (int i = 0; i < READS_AGAIN_MAX && cairn.isLossy() && hasFailed(found, expected); i++) {
      found = cairnSide.run(number, request);
    }
    if (hbaseSide.isEmpty() || isEndless(step)) {
      return expected.isEmpty() || isEqual(step, found, expected.get(), cairnWasKept)
          ? Optional.empty()
          : Difference.ofCairn("Cairn:\n    " + found + "\n  expected:\n    " + expected.get());
    }
    Answer foundOnHBase = hbaseSide.get().run(number, unhurried(request));
    if (expected.isEmpty()) {
      return found.equals(foundOnHBase) && found.lines().get(0).startsWith("failed")
          ? Optional.empty()
          : Difference.ofCairn("Cairn:\n    " + found + "\n  HBase:\n    " + foundOnHBase);
    }
    boolean isRefused = isRefused(step, foundOnHBase);
    hbaseHoldsScanner |= isRefused && step instanceof Step.Scan;
    if (found.equals(foundOnHBase) && expected.equals(expectedOfHBase)) {
      return Optional.empty(); // what both answer is right, whatever the model says
    }
    boolean isOfCairn = !isEqual(step, found, expected.get(), cairnWasKept);
    if (isOfCairn
        || !isEqual(step, foundOnHBase, expectedOfHBase.get(), hbaseWasKept) && !isRefused) {
      return Optional.of(
          new Difference(
              isOfCairn,
              "Cairn:\n    %s\n  expected:\n    %s\n  HBase:\n    %s\n  expected of HBase:\n    %s"
                  .formatted(found, expected.get(), foundOnHBase, expectedOfHBase.get())));
    }
    return Optional.empty();
  }

  /** Tells whether the client gave up a read because its answers were lost too often. */
  private static boolean hasFailed(Answer found, Optional<Answer> expected) {
    return found.lines().stream().anyMatch(line -> line.startsWith("failed"))
        && expected.isPresent()
        && expected.get().lines().stream().noneMatch(line -> line.startsWith("failed"));
  }

  /**
   * HBase forgets delete markers of the family if a scan's call ends within a row, so it is not
   * asked to do so.
   */
  private static Step.Request unhurried(Step.Request step) {
    return step instanceof Step.Scan scan
        ? new Step.Scan(scan.query(), scan.sieve(), scan.hints().withoutBytes())
        : step;
  }

  /** What raw scans show depends on what housekeeping has already removed. */
  private static boolean isEqual(Step step, Answer found, Answer expected, boolean wasKept) {
    boolean unknown = step instanceof Step.Scan scan && scan.query().raw() && wasKept;
    return unknown || found.equals(expected);
  }

  /**
   * HBase goes round for ever in raw scans that have seen enough of the column without a qualifier.
   */
  private boolean isEndless(Step step) {
    return step instanceof Step.Scan scan
        && scan.query().raw()
        && (scan.query().maxVersions() < Integer.MAX_VALUE
            || !scan.query().range().equals(TimeRange.ALL))
        && ofHBase.table().hasCellWithoutQualifier();
  }

  /**
   * HBase refuses what goes backwards and reads families late, as it does by itself; and some
   * filters make it stumble over a row that has nothing in the family that it reads first. Its
   * client reports that as an {@code IOException} where it asks for the existence of several rows.
   */
  private static boolean isRefused(Step step, Answer answer) {
    String failure = answer.lines().size() == 1 ? answer.lines().get(0) : "";
    boolean stumbles =
        failure.equals(Answer.failure("org.apache.hadoop.hbase.client.RetriesExhaustedException"));
    if (step instanceof Step.Get get) {
      return stumbles && get.sieve().isPresent();
    }
    if (step instanceof Step.Gets gets) {
      return (stumbles || failure.equals(Answer.failure("java.io.IOException")))
          && gets.gets().stream().anyMatch(get -> get.sieve().isPresent());
    }
    return step instanceof Step.Scan scan
        && scan.sieve().isPresent()
        && (stumbles
            || scan.query().reversed()
                && failure.equals(Answer.failure("org.apache.hadoop.hbase.DoNotRetryIOException")));
  }

  private Optional<Difference> keep(long number, Step.Housekeeping step)
      throws IOException, InterruptedException {
    long now = base + number;
    if (step.place() == Step.Place.HBASE) {
      if (hbase.isEmpty() || hbaseHoldsScanner) {
        // A scan that failed stays open at HBase, and keeps versions that the model would remove.
        return Optional.empty();
      }
      hbase.get().keep(schema, step.work());
      hbaseWasKept = true;
      if (step.work() == Step.Work.FLUSH) {
        ofHBase.table().flushAsApache(now);
      } else {
        ofHBase.table().compactAsApache(now);
      }
      return Optional.empty();
    }
    if (step.work() == Step.Work.FLUSH) {
      ofCairn.table().filed();
    }
    return cairnWasKept(number, step.work());
  }

  private Optional<Difference> cairnWasKept(long number, Step.Work work)
      throws IOException, InterruptedException {
    long now = base + number;
    cairn.keep(schema, work);
    cairnWasKept = true;
    Map<String, List<Version>> rows = new LinkedHashMap<>();
    for (Result row : cairnSide.everything()) {
      rows.put(Text.of(row.getRow()), cairnSide.cells(row));
    }
    try {
      ofCairn.table().settle(rows, true, now);
    } catch (dev.cairn.torture.model.Difference e) {
      return Difference.ofCairn(e.getMessage());
    }
    return Optional.empty();
  }

  /** Returns what is known of all rows, for people. */
  String describe() {
    return "The model of Cairn:\n%sThe model of HBase:\n%s"
        .formatted(ofCairn.describe(), ofHBase.describe());
  }

  /** Deletes the table on both servers. */
  @Override
  public void close() throws IOException {
    onCairn.close();
    cairn.drop(schema);
    if (hbase.isPresent()) {
      onHBase.get().close();
      hbase.get().drop(schema);
    }
  }
}
