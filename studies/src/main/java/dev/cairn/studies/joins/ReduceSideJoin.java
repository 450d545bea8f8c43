package dev.cairn.studies.joins;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * A job whose mappers read both tables, and whose reducers get all rows of a customer together.
 * Joins tables of any size and order, and sorts all their rows for that.
 */
record ReduceSideJoin() implements NormalisedJoin {
  @Override
  public String name() {
    return "MapReduce, reduce-side";
  }

  @Override
  public boolean answersByJobs() {
    return true;
  }

  @Override
  public List<?> answer(Connection connection, Ask asked) throws IOException {
    return Jobs.run(
            connection,
            asked,
            ReduceSideJoin.class,
            (job, jars) -> {
              TableMapReduceUtil.initTableMapperJob(
                  List.of(
                      scan(TwoTables.CUSTOMERS, TwoTables.customers(asked)),
                      scan(TwoTables.ORDERS, TwoTables.orders(asked))),
                  Tagging.class,
                  Text.class,
                  Text.class,
                  job,
                  jars);
              job.setReducerClass(Joining.class);
            })
        .list();
  }

  private static Scan scan(TableName table, Scan scan) {
    return scan.setCacheBlocks(false)
        .setAttribute(Scan.SCAN_ATTRIBUTES_TABLE_NAME, table.getName());
  }

  /** Sends each row to the reducer of its customer. */
  public static final class Tagging extends TableMapper<Text, Text> {
    @Override
    protected void map(ImmutableBytesWritable key, Result row, Context context)
        throws IOException, InterruptedException {
      if (row.containsColumn(TwoTables.FAMILY, TwoTables.COUNTRY)) {
        Fact.Customer customer = TwoTables.customer(row);
        context.write(
            new Text(customer.customer()), new Text(customer.name() + "\t" + customer.country()));
      } else {
        Fact.Order order = TwoTables.order(row);
        context.write(
            new Text(order.customer()),
            new Text(order.order() + "\t" + order.product() + "\t" + order.amount()));
      }
    }
  }

  /** Joins the rows of a customer. Its orders must fit into memory. */
  public static final class Joining extends Reducer<Text, Text, NullWritable, Text> {
    private Line.Answer sums;

    @Override
    protected void setup(Context context) {
      sums = Jobs.task(context.getConfiguration());
    }

    @Override
    protected void reduce(Text key, Iterable<Text> rows, Context context)
        throws IOException, InterruptedException {
      Optional<Fact.Customer> customer = Optional.empty();
      List<Fact.Order> orders = new ArrayList<>();
      for (Text row : rows) {
        String[] parts = row.toString().split("\t");
        if (parts.length == 2) {
          customer = Optional.of(new Fact.Customer(key.toString(), parts[0], parts[1]));
        } else {
          orders.add(
              new Fact.Order(
                  key.toString(), Long.parseLong(parts[0]), parts[1], Long.parseLong(parts[2])));
        }
      }
      for (Fact.Order order : orders) {
        Jobs.write(sums, Line.of(order, customer.orElseThrow()), context::write);
      }
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      Jobs.write(sums, context::write);
    }
  }
}
