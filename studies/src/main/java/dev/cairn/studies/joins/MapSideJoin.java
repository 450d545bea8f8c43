package dev.cairn.studies.joins;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;

/**
 * A job without reducers over the orders. Each mapper reads all customers into its memory before it
 * begins.
 */
record MapSideJoin() implements NormalisedJoin {
  @Override
  public String name() {
    return "MapReduce, map-side";
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
            MapSideJoin.class,
            (job, jars) -> {
              TableMapReduceUtil.initTableMapperJob(
                  TwoTables.ORDERS.getNameAsString(),
                  TwoTables.orders(asked).setCacheBlocks(false),
                  Joining.class,
                  NullWritable.class,
                  Text.class,
                  job,
                  jars);
              job.setNumReduceTasks(0);
            })
        .list();
  }

  /** Joins orders with the customers in memory. */
  public static final class Joining extends TableMapper<NullWritable, Text> {
    private Map<String, Fact.Customer> customers;
    private Line.Answer sums;

    @Override
    protected void setup(Context context) throws IOException {
      sums = Jobs.task(context.getConfiguration());
      try (Connection connection = ConnectionFactory.createConnection(context.getConfiguration());
          Table table = connection.getTable(TwoTables.CUSTOMERS)) {
        customers = ClientJoin.customers(table, new Scan().setCacheBlocks(false));
      }
    }

    @Override
    protected void map(ImmutableBytesWritable key, Result row, Context context)
        throws IOException, InterruptedException {
      Fact.Order order = TwoTables.order(row);
      Jobs.write(sums, Line.of(order, customers.get(order.customer())), context::write);
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
      Jobs.write(sums, context::write);
    }
  }
}
