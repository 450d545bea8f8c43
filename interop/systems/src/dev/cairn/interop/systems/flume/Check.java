package dev.cairn.interop.systems.flume;

import dev.cairn.interop.systems.check.Report;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flume.Channel;
import org.apache.flume.Context;
import org.apache.flume.Sink;
import org.apache.flume.Transaction;
import org.apache.flume.channel.MemoryChannel;
import org.apache.flume.conf.Configurables;
import org.apache.flume.event.EventBuilder;
import org.apache.flume.sink.hbase2.HBase2Sink;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** What a user of Flume's HBase 2 sink does: events become rows and counters. */
public final class Check {
  private static final byte[] FAMILY = Bytes.toBytes("f");

  private final Report report = new Report();
  private final String quorum;

  private Check(String quorum) {
    this.quorum = quorum;
  }

  /** Arguments: the site's file, a folder for files. */
  public static void main(String[] arguments) throws Exception {
    Path site = Path.of(arguments[0]);
    Check check = new Check(Report.quorum(site));
    check.all();
    check.report.end();
  }

  private void all() throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Table table = connection.getTable(TableName.valueOf("flume"))) {
      report.run(
          "sends 1000 events, with a counter",
          () ->
              send(
                  "org.apache.flume.sink.hbase2.SimpleHBase2EventSerializer",
                  Map.of("serializer.payloadColumn", "text", "serializer.incrementColumn", "n")));
      report.equal("… the rows", 1000, () -> rows(table, "text"));
      report.equal("… the counter", 1000L, () -> counter(table));
      report.run(
          "sends 1000 events, with increments merged in batches",
          () ->
              send(
                  "org.apache.flume.sink.hbase2.SimpleHBase2EventSerializer",
                  Map.of(
                      "coalesceIncrements", "true",
                      "serializer.payloadColumn", "again",
                      "serializer.incrementColumn", "n")));
      report.equal("… the rows", 1000, () -> rows(table, "again"));
      report.equal("… the counter", 2000L, () -> counter(table));
      report.run(
          "sends 1000 events, with columns of a regular expression",
          () ->
              send(
                  "org.apache.flume.sink.hbase2.RegexHBase2EventSerializer",
                  Map.of("serializer.regex", "(.*) (.*)", "serializer.colNames", "word,number")));
      report.equal("… the rows", 1000, () -> rows(table, "number"));
    }
  }

  private void send(String serializer, Map<String, String> more) throws Exception {
    Context context = new Context();
    context.put("table", "flume");
    context.put("columnFamily", "f");
    context.put("zookeeperQuorum", quorum);
    context.put("serializer", serializer);
    context.put("batchSize", "100");
    more.forEach(context::put);
    Channel channel = new MemoryChannel();
    channel.setName("memory");
    Configurables.configure(
        channel, new Context(Map.of("capacity", "2000", "transactionCapacity", "1000")));
    channel.start();
    HBase2Sink sink = new HBase2Sink();
    Configurables.configure(sink, context);
    sink.setChannel(channel);
    sink.start();
    Transaction transaction = channel.getTransaction();
    transaction.begin();
    for (int i = 0; i < 1000; i++) {
      channel.put(EventBuilder.withBody("event " + i, StandardCharsets.UTF_8));
    }
    transaction.commit();
    transaction.close();
    while (sink.process() == Sink.Status.READY) {
      // Next batch.
    }
    sink.stop();
    channel.stop();
  }

  private static int rows(Table table, String column) throws Exception {
    int rows = 0;
    try (ResultScanner scanner =
        table.getScanner(new Scan().addColumn(FAMILY, Bytes.toBytes(column)))) {
      for (Result ignored : scanner) {
        rows++;
      }
    }
    return rows;
  }

  private static long counter(Table table) throws Exception {
    return Bytes.toLong(
        table.get(new Get(Bytes.toBytes("incRow"))).getValue(FAMILY, Bytes.toBytes("n")));
  }
}
