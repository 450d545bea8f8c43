package dev.cairn.engine.constraint;

import dev.cairn.engine.cell.BinaryText;
import dev.cairn.engine.cell.Cell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The constraints of a table: the rules of its columns, each an attribute {@code
 * cairn.constraint.FAMILY:QUALIFIER} with rules as its value. Finds the rules of a cell's column
 * without allocation. Immutable.
 */
public final class ColumnRules {
  /**
   * The prefix of the attributes' names. The column follows, in the form of {@code toStringBinary}.
   */
  public static final String PREFIX = "cairn.constraint.";

  /** The attribute that makes servers refuse bulk loads whose values break a rule. */
  public static final String STRICT = "cairn.constraint.strict";

  /** The constraints of a table without any. */
  public static final ColumnRules NONE = new ColumnRules(List.of(), false);

  private static final int REQUIRED_MAX = Long.SIZE;

  private final List<ColumnRule> all;
  private final boolean strict;

  /** A hash table with open addressing, at most half full. */
  private final ColumnRule[] table;

  private final long requiredBits;

  private ColumnRules(List<ColumnRule> all, boolean strict) {
    this.all = List.copyOf(all);
    this.strict = strict;
    this.table = new ColumnRule[Integer.highestOneBit(Math.max(1, all.size())) * 4];
    long bits = 0;
    for (ColumnRule rule : all) {
      int at = hash(rule.inCell(), 0, rule.inCell().length);
      while (table[at & table.length - 1] != null) {
        at++;
      }
      table[at & table.length - 1] = rule;
      bits |= rule.requiredBit();
    }
    this.requiredBits = bits;
  }

  /**
   * Parses the constraints of a table.
   *
   * @param attributes all attributes of the table
   * @param families the names of its families
   * @throws IllegalArgumentException if one is malformed; the message names the column, the rule
   *     and the reason
   */
  public static ColumnRules of(Map<String, String> attributes, Collection<byte[]> families) {
    boolean strict = false;
    List<ColumnRule> rules = new ArrayList<>();
    Map<String, String> columns = new TreeMap<>();
    int required = 0;
    for (Map.Entry<String, String> attribute : new TreeMap<>(attributes).entrySet()) {
      String name = attribute.getKey();
      if (!name.startsWith(PREFIX)) {
        continue;
      }
      try {
        if (name.equals(STRICT)) {
          strict = flag(attribute.getValue());
          continue;
        }
        ColumnRule rule = parse(name.substring(PREFIX.length()), attribute.getValue(), families);
        String other = columns.put(rule.column(), name);
        if (other != null) {
          throw new IllegalArgumentException("it names the same column as " + other);
        }
        if (rule.isRequired() && required == REQUIRED_MAX) {
          throw new IllegalArgumentException(
              "at most " + REQUIRED_MAX + " columns of a table are not null");
        }
        rules.add(rule.isRequired() ? rule.numbered(required++) : rule);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
      }
    }
    return rules.isEmpty() ? NONE : new ColumnRules(rules, strict);
  }

  private static boolean flag(String text) {
    return switch (text.trim()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("it is true or false, not <" + text + ">");
    };
  }

  private static ColumnRule parse(String column, String text, Collection<byte[]> families) {
    int colon = column.indexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("a column FAMILY:QUALIFIER is expected after the prefix");
    }
    byte[] family = BinaryText.parse(column.substring(0, colon));
    if (families.stream().noneMatch(known -> Arrays.equals(known, family))) {
      throw new IllegalArgumentException(
          "the table has no column family " + column.substring(0, colon));
    }
    return RuleParser.parse(family, BinaryText.parse(column.substring(colon + 1)), text);
  }

  /** Returns the rules of all columns, in the order of the attributes. */
  public List<ColumnRule> all() {
    return all;
  }

  /** Tells whether a bulk load that breaks a rule is refused. */
  public boolean isStrict() {
    return strict;
  }

  /** Returns the bits of all required columns; 0 if there is none. */
  public long requiredBits() {
    return requiredBits;
  }

  /** Tells whether a column refers to another table. */
  public boolean hasReferences() {
    return all.stream().anyMatch(rule -> rule.reference().isPresent());
  }

  /** Returns the rules of the cell's column, or null if it has none. */
  public ColumnRule find(Cell cell) {
    byte[] bytes = cell.bytes();
    int offset = ColumnRule.columnOffset(cell);
    int length = ColumnRule.columnLength(cell);
    for (int at = hash(bytes, offset, length); ; at++) {
      ColumnRule rule = table[at & table.length - 1];
      if (rule == null || rule.isOf(bytes, offset, length)) {
        return rule;
      }
    }
  }

  /** Hashes the length and a few bytes of an encoded column, which has at least one byte. */
  private static int hash(byte[] bytes, int offset, int length) {
    int mixed = length * 31 + bytes[offset + (length >> 1)];
    mixed = mixed * 31 + bytes[offset + length - 1];
    return mixed ^ mixed >>> 7;
  }
}
