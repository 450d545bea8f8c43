package dev.cairn.testing;

import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * Loads the classes of HBase's client while a server starts: in a fresh JVM that takes a good part
 * of a second, and it is what a test needs next.
 */
final class ClientClasses {
  private static final String[] NAMES = {
    // The descriptions of the messages, which take longest.
    "org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos",
    "org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos",
    "org.apache.hadoop.hbase.client.ConnectionImplementation",
    "org.apache.hadoop.hbase.client.ZKConnectionRegistry",
    "org.apache.hadoop.hbase.client.HBaseAdmin",
    "org.apache.hadoop.hbase.client.HTable",
    "org.apache.hadoop.hbase.ipc.NettyRpcClient",
    "org.apache.hadoop.hbase.ipc.NettyRpcConnection",
    "org.apache.hadoop.hbase.shaded.protobuf.RequestConverter",
    "org.apache.hadoop.hbase.shaded.protobuf.ResponseConverter",
    "org.apache.hadoop.hbase.client.TableDescriptorBuilder",
    "org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder"
  };

  private ClientClasses() {}

  /** Begins to load them, in a thread that ends by itself. */
  static void loadMeanwhile() {
    Thread thread = new Thread(ClientClasses::load, "cairn-client-classes");
    thread.setDaemon(true);
    thread.start();
  }

  private static void load() {
    try {
      HBaseConfiguration.create().get("hbase.rootdir");
      for (String name : NAMES) {
        Class.forName(name);
      }
    } catch (ClassNotFoundException | LinkageError e) {
      // A client of another version: the test loads what it needs when it needs it.
      return;
    }
  }
}
