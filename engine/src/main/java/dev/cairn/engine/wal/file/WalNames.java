package dev.cairn.engine.wal.file;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The names of region and table in a key, and its attributes, in either form. Names of the previous
 * entry cost nothing. One thread.
 */
final class WalNames {
  private final Optional<WalDictionaries> dictionaries;
  private final Map<String, TableName> tables = new HashMap<>();
  private byte[] regionBytes = Bytes.EMPTY;
  private String region = "";
  private byte[] tableBytes = Bytes.EMPTY;
  private Optional<TableName> table = Optional.empty();
  private WalAttributes attributes = WalAttributes.NONE;

  /** Creates a reader of names, compressed ones if there are dictionaries. */
  WalNames(Optional<WalDictionaries> dictionaries) {
    this.dictionaries = dictionaries;
  }

  /**
   * Takes the names from a key that was parsed out of {@code bytes}; each key of a file once and in
   * order.
   */
  void take(WalKey key, byte[] bytes) throws WalDamage {
    if (dictionaries.isEmpty()) {
      region(bytes, key.regionOffset(), key.regionLength());
      table(bytes, key.tableOffset(), key.tableLength());
      attributes(key, bytes);
      return;
    }
    WalDictionaries names = dictionaries.get();
    byte[] name = WalDictionaries.get(names.regions, bytes, key.regionOffset(), key.regionLength());
    region(name, 0, name.length);
    name = WalDictionaries.get(names.tables, bytes, key.tableOffset(), key.tableLength());
    table(name, 0, name.length);
    for (int i = 0; i < key.familyCount(); i++) {
      // Nobody needs them, but cells may name a family by the number that it gets here.
      WalDictionaries.get(names.families, bytes, key.familyOffset(i), key.familyLength(i));
    }
    attributes(key, bytes);
  }

  private void attributes(WalKey key, byte[] bytes) throws WalDamage {
    attributes = WalAttributes.NONE;
    if (key.attributes().isEmpty()) {
      return;
    }
    List<WalAttributes.Attribute> all = new ArrayList<>();
    for (int[] places : key.attributes()) {
      all.add(
          new WalAttributes.Attribute(
              Arrays.copyOfRange(bytes, places[0], places[0] + places[1]),
              dictionaries.isPresent()
                  ? WalDictionaries.getValue(dictionaries.get().tables, bytes, places[2], places[3])
                  : Arrays.copyOfRange(bytes, places[2], places[2] + places[3])));
    }
    attributes = new WalAttributes(all);
  }

  /** Returns the attributes of the key. */
  WalAttributes attributes() {
    return attributes;
  }

  String region() {
    return region;
  }

  TableName table() {
    return table.orElseThrow();
  }

  private void region(byte[] bytes, int offset, int length) {
    if (!Arrays.equals(bytes, offset, offset + length, regionBytes, 0, regionBytes.length)) {
      regionBytes = Arrays.copyOfRange(bytes, offset, offset + length);
      region = Bytes.utf8(regionBytes);
    }
  }

  private void table(byte[] bytes, int offset, int length) throws WalDamage {
    if (table.isEmpty()
        || !Arrays.equals(bytes, offset, offset + length, tableBytes, 0, tableBytes.length)) {
      tableBytes = Arrays.copyOfRange(bytes, offset, offset + length);
      String name = Bytes.utf8(tableBytes);
      TableName known = tables.get(name);
      if (known == null) {
        try {
          known = TableName.parse(name);
        } catch (IllegalArgumentException e) {
          throw WalDamage.wrong("expected a table name: " + e.getMessage());
        }
        tables.put(name, known);
      }
      table = Optional.of(known);
    }
  }
}
