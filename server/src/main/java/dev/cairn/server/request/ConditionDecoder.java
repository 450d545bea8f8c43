package dev.cairn.server.request;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.region.write.WriteRequest.Condition;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.filter.FilterAdapter;
import dev.cairn.server.filter.FilterParser;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;

/**
 * Makes the engine's conditions of the protocol's: a comparison with one column's newest value, or
 * a filter that must let something of the row pass.
 *
 * <p>The expected value is the left operand: LESS holds if it is less than the stored one. An empty
 * expected value means absence: EQUAL holds if there is no cell or its value is empty, NOT_EQUAL if
 * there is a cell with a value. If there is no cell, no other expectation holds.
 */
public final class ConditionDecoder {
  private final FilterParser filters;

  public ConditionDecoder(FilterParser filters) {
    this.filters = filters;
  }

  /**
   * Decodes a condition on {@code row}.
   *
   * @throws IOException if it is malformed or names another row
   */
  public Condition decode(ClientProtos.Condition condition, byte[] row) throws IOException {
    if (!Arrays.equals(condition.getRow().toByteArray(), row)) {
      throw new DoNotRetryIOException("The condition's row must be the row that is to be changed");
    }
    Condition decoded = decode(condition, ConditionDecoder::holds);
    return new Condition(decoded.read(), new Asked(condition, decoded.test()));
  }

  /**
   * Decodes a condition on the row that it names, as {@code MultiRowMutationService} has it: there,
   * an empty expected value means absence with every comparison, NOT_EQUAL too.
   *
   * @throws IOException if it is malformed
   */
  public Condition decodeOfAnyRow(ClientProtos.Condition condition) throws IOException {
    if (condition.getRow().isEmpty() || condition.getRow().size() > Cell.MAX_ROW_LENGTH) {
      throw new DoNotRetryIOException(
          "A condition's row must have 1 to "
              + Cell.MAX_ROW_LENGTH
              + " bytes, not "
              + condition.getRow().size());
    }
    return decode(
        condition,
        (comparison, expected, found) ->
            holds(isNothing(expected) ? CompareType.EQUAL : comparison, expected, found));
  }

  /**
   * The test of a condition on the row that is changed, with its message for hooks.
   *
   * @param message what the client asked
   */
  public record Asked(ClientProtos.Condition message, Condition.Test test)
      implements Condition.Test {
    @Override
    public boolean holds(Optional<Cell> found) {
      return test.holds(found);
    }
  }

  @FunctionalInterface
  private interface Comparison {
    boolean holds(CompareType comparison, ByteArrayComparable expected, Optional<Cell> found);
  }

  private Condition decode(ClientProtos.Condition condition, Comparison rule) throws IOException {
    ScanRequest.Builder read = ScanRequest.row(condition.getRow().toByteArray());
    if (condition.hasTimeRange()) {
      read.timeRange(QueryDecoder.timeRange(condition.getTimeRange()));
    }
    if (condition.hasFilter()) {
      read.filter(new FilterAdapter(filters.filter(condition.getFilter()), false));
      return new Condition(read.build(), Optional::isPresent);
    }
    if (!condition.hasFamily() || !condition.hasComparator() || !condition.hasCompareType()) {
      throw new DoNotRetryIOException(
          "A condition needs a filter, or a family, a comparison and a comparator");
    }
    CompareType comparison = condition.getCompareType();
    if (comparison == CompareType.NO_OP) {
      throw new DoNotRetryIOException("A condition cannot compare with NO_OP");
    }
    ByteArrayComparable expected = filters.comparator(condition.getComparator());
    read.family(
        condition.getFamily().toByteArray(),
        FamilySelection.of(condition.getQualifier().toByteArray()));
    return new Condition(read.build(), found -> rule.holds(comparison, expected, found));
  }

  private static boolean isNothing(ByteArrayComparable expected) {
    byte[] value = expected.getValue();
    return value == null || value.length == 0;
  }

  static boolean holds(CompareType comparison, ByteArrayComparable expected, Optional<Cell> found) {
    if (isNothing(expected)) {
      boolean isNothing = found.isEmpty() || found.get().valueLength() == 0;
      return isNothing == (comparison != CompareType.NOT_EQUAL);
    }
    if (found.isEmpty()) {
      return false;
    }
    Cell cell = found.get();
    int order = expected.compareTo(cell.bytes(), cell.valueOffset(), cell.valueLength());
    return switch (comparison) {
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case GREATER_OR_EQUAL -> order >= 0;
      case GREATER -> order > 0;
      case NO_OP -> false;
    };
  }
}
