package dev.cairn.engine.constraint;

import dev.cairn.engine.cell.BinaryText;
import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The rules for the values of one column. Immutable. */
public final class ColumnRule {
  private static final int READABLE_MAX = 40;

  /**
   * A rule with its text in the declaration.
   *
   * @param text the text, for messages
   */
  record Part(String text, ValueRule rule) {}

  private final byte[] family;
  private final byte[] qualifier;
  private final byte[] inCell;
  private final ValueType type;
  private final List<Part> parts;

  /** The rules that no other rule implies. Implied rules only explain refusals. */
  private final ValueRule[] rules;

  private final boolean required;
  private final Optional<String> reference;
  private final long requiredBit;

  ColumnRule(
      byte[] family,
      byte[] qualifier,
      ValueType type,
      List<Part> parts,
      boolean required,
      Optional<String> reference) {
    this(family, qualifier, type, parts, required, reference, 0);
  }

  private ColumnRule(
      byte[] family,
      byte[] qualifier,
      ValueType type,
      List<Part> parts,
      boolean required,
      Optional<String> reference,
      long requiredBit) {
    this.family = family;
    this.qualifier = qualifier;
    this.inCell = Bytes.concat(new byte[] {(byte) family.length}, Bytes.concat(family, qualifier));
    this.type = type;
    this.parts = List.copyOf(parts);
    this.rules =
        parts.stream()
            .map(Part::rule)
            .filter(rule -> parts.stream().noneMatch(other -> other.rule().implies(rule)))
            .toArray(ValueRule[]::new);
    this.required = required;
    this.reference = reference;
    this.requiredBit = requiredBit;
  }

  /** Returns the same rules with the column's index among the required columns of its table. */
  ColumnRule numbered(int number) {
    return new ColumnRule(family, qualifier, type, parts, required, reference, 1L << number);
  }

  /** Returns the column's family. The caller must not change it. */
  public byte[] family() {
    return family;
  }

  /** Returns the column's qualifier. The caller must not change it. */
  public byte[] qualifier() {
    return qualifier;
  }

  /** Returns the column's name for messages. */
  public String column() {
    return Bytes.toStringBinary(family) + ":" + Bytes.toStringBinary(qualifier);
  }

  /** Tells whether each row needs a value in the column ({@code not null}). */
  public boolean isRequired() {
    return required;
  }

  /** Returns the bit of a required column in {@link ColumnRules#requiredBits}; 0 for others. */
  public long requiredBit() {
    return requiredBit;
  }

  /**
   * Returns the name of the table whose row keys the values must be; empty if there is no such
   * rule.
   */
  public Optional<String> reference() {
    return reference;
  }

  /** Tells whether the cell belongs to the column. */
  public boolean isOf(Cell cell) {
    return isOf(cell.bytes(), columnOffset(cell), columnLength(cell));
  }

  /** Tells whether the cell belongs to the column's family. */
  public boolean isOfFamily(Cell cell) {
    int offset = cell.familyOffset();
    return Arrays.equals(
        family, 0, family.length, cell.bytes(), offset, offset + cell.familyLength());
  }

  /**
   * Returns the offset of the column in a cell: the length of the family, the family and the
   * qualifier.
   */
  static int columnOffset(Cell cell) {
    return cell.familyOffset() - 1;
  }

  /**
   * Returns the length of the column in a cell, bytes, including the byte of the family's length.
   */
  static int columnLength(Cell cell) {
    return cell.keyLength() - Cell.KEY_OVERHEAD - cell.rowLength() + 1;
  }

  /** Tells whether these bytes are the encoded column of a cell. */
  boolean isOf(byte[] bytes, int offset, int length) {
    return Arrays.equals(inCell, 0, inCell.length, bytes, offset, offset + length);
  }

  /** Returns the column as cells encode it. */
  byte[] inCell() {
    return inCell;
  }

  /** Tells whether a value satisfies all rules for values. {@link #broken} explains the result. */
  public boolean accepts(byte[] value, int offset, int length) {
    for (ValueRule rule : rules) {
      if (!rule.accepts(value, offset, length)) {
        return false;
      }
    }
    return true;
  }

  /** Returns a message that names the rule which a value breaks; empty if it satisfies all. */
  public Optional<String> broken(byte[] value, int offset, int length) {
    for (Part part : parts) {
      if (!part.rule().accepts(value, offset, length)) {
        return Optional.of(
            breaks(part.text(), value, offset, length)
                + part.rule().problem(value, offset, length).map(text -> ": " + text).orElse(""));
      }
    }
    return Optional.empty();
  }

  /** Returns the message that a value breaks the rule with this text. */
  public String breaks(String rule, byte[] value, int offset, int length) {
    String shown = BinaryText.show(value, offset, length);
    String readable =
        type.readable(value, offset, length)
            .filter(text -> text.length() <= READABLE_MAX)
            .map(text -> " (" + text + ")")
            .orElse("");
    return "the value '"
        + shown
        + "'"
        + readable
        + " of column "
        + column()
        + " breaks the rule \""
        + rule
        + "\"";
  }
}
