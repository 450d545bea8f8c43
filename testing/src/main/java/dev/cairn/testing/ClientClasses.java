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
    // Reads all certificates that Java trusts, as a client's session with ZooKeeper begins.
    "org.apache.zookeeper.common.X509Util",
    "org.apache.hadoop.security.UserGroupInformation",
    "org.apache.hadoop.hbase.security.User",
    "org.apache.hadoop.hbase.security.provider.SaslClientAuthenticationProviders",
    "org.apache.hadoop.hbase.client.MetricsConnection",
    "org.apache.hbase.thirdparty.io.netty.bootstrap.Bootstrap",
    "org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup",
    "org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel",
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
    HBaseConfiguration.create().get("hbase.rootdir");
    for (String name : NAMES) {
      try {
        Class.forName(name);
      } catch (ClassNotFoundException | LinkageError e) {
        // A client of another version: the test loads what it needs when it needs it.
        continue;
      }
    }
  }
}
