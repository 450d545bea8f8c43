package dev.cairn.interop.process;

import java.io.IOException;
import java.util.SortedMap;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/** Appends, increments and conditional puts: changes that must happen once, not twice. */
final class ChangingWriter extends Writer {
  private static final int TEXT_MAX = 200;

  ChangingWriter(SplittableRandom random) {
    super("changing", random);
  }

  @Override
  void step(Connection connection, Table table) throws IOException {
    String row = anyRow();
    if (!ledger.isCertain(row)) {
      return;
    }
    SortedMap<String, String> contents = ledger.contents(row);
    switch (random.nextInt(3)) {
      case 0 -> {
        long amount = random.nextInt(1, 100);
        contents.merge("n:1", "" + amount, ChangingWriter::sum);
        contents.merge("n:2", "" + amount, ChangingWriter::sum);
        ledger.attempt(row, contents);
        table.increment(
            new Increment(bytes(row))
                .addColumn(bytes("n"), bytes("1"), amount)
                .addColumn(bytes("n"), bytes("2"), amount));
      }
      case 1 -> {
        String token = "+" + random.nextInt(1000);
        contents.merge("a:text", token, String::concat);
        ledger.attempt(row, contents);
        table.append(new Append(bytes(row)).addColumn(bytes("a"), bytes("text"), bytes(token)));
      }
      default -> {
        if (!checkAndPut(table, row, contents)) {
          return; // a second try that met the first one's result: it stays open
        }
      }
    }
    ledger.acknowledged(row);
    if (random.nextInt(4) == 0) {
      readBack(table, row);
    }
  }

  /** Replaces the text, if it is the one that it has to be. */
  private boolean checkAndPut(Table table, String row, SortedMap<String, String> contents)
      throws IOException {
    String before = contents.get("a:text");
    String after = newValue();
    contents.put("a:text", after.substring(0, Math.min(TEXT_MAX, after.length())));
    ledger.attempt(row, contents);
    CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(bytes(row));
    if (before == null) {
      builder.ifNotExists(bytes("a"), bytes("text"));
    } else {
      builder.ifEquals(bytes("a"), bytes("text"), bytes(before));
    }
    Put put = add(new Put(bytes(row)), "a:text", bytes(contents.get("a:text")));
    return table.checkAndMutate(builder.build(put)).isSuccess();
  }

  private static String sum(String a, String b) {
    return "" + (Long.parseLong(a) + Long.parseLong(b));
  }
}
