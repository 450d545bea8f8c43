package dev.cairn.studies.order;

import dev.cairn.studies.IoFunction;
import dev.cairn.studies.Scans;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The family and the time of orders, and the search of a day by it. */
final class Columns {
  static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] TIME = Bytes.toBytes("time");

  private Columns() {}

  static Put addTime(Put put, Instant time) {
    return put.addColumn(FAMILY, TIME, Bytes.toBytes(time.toEpochMilli()));
  }

  static Instant time(Result row) {
    return Instant.ofEpochMilli(Bytes.toLong(row.getValue(FAMILY, TIME)));
  }

  /** Selects the rows with a time of a day. The server reads all rows. */
  static Filter ofDay(LocalDate day) {
    return new FilterList(
        time(CompareOperator.GREATER_OR_EQUAL, day), time(CompareOperator.LESS, day.plusDays(1)));
  }

  private static Filter time(CompareOperator operator, LocalDate day) {
    long millis = day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    var filter = new SingleColumnValueFilter(FAMILY, TIME, operator, Bytes.toBytes(millis));
    filter.setFilterIfMissing(true);
    return filter;
  }

  /** The order and the customer in a key. */
  record Numbers(long order, long customer) {}

  /** Returns the numbers of the orders of a day, out of all rows of a table. */
  static List<Numbers> ordersOf(
      Connection connection, TableName table, LocalDate day, IoFunction<Result, Numbers> numbers)
      throws IOException {
    Scan scan = new Scan().addColumn(FAMILY, TIME).setFilter(ofDay(day));
    return Scans.list(connection, table, scan, numbers);
  }

  /** Returns the labels of orders, in the order of number. */
  static List<Label> labels(Collection<Numbers> orders, Map<Long, Customer> customers) {
    return orders.stream()
        .sorted(Comparator.comparing(Numbers::order))
        .map(
            one -> {
              Customer customer = customers.get(one.customer());
              return new Label(one.order(), customer.name(), customer.address());
            })
        .toList();
  }

  /** Returns the customers of orders, each once. */
  static Collection<Long> customers(Collection<Numbers> orders) {
    return orders.stream().map(Numbers::customer).collect(Collectors.toSet());
  }
}
