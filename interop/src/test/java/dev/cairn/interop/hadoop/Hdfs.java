package dev.cairn.interop.hadoop;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** HDFS with one data node in this process, on ports of its own choice. */
final class Hdfs implements AutoCloseable {
  private final MiniDFSCluster cluster;
  private final Configuration settings;

  private Hdfs(MiniDFSCluster cluster, Configuration settings) {
    this.cluster = cluster;
    this.settings = settings;
  }

  /** Starts it; its files go into {@code folder}. */
  static Hdfs start(Path folder) throws IOException {
    Configuration settings = new Configuration();
    settings.set("dfs.namenode.http-address", "localhost:0");
    settings.set("dfs.datanode.http.address", "localhost:0");
    settings.setBoolean("dfs.namenode.edits.noeditlogchannelflush", true);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(settings, folder.toFile()).numDataNodes(1).build();
    return new Hdfs(cluster, settings);
  }

  /** Returns its address, without a slash at the end. */
  String uri() {
    return "hdfs://localhost:" + cluster.getNameNodePort();
  }

  /** Returns settings for clients. */
  Configuration settings() {
    return new Configuration(settings);
  }

  @Override
  public void close() {
    cluster.shutdown();
  }
}
