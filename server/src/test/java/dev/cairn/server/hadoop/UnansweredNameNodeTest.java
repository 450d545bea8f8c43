package dev.cairn.server.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A NameNode that accepts connections and answers nothing, as behind a network that is cut. */
@Timeout(60)
class UnansweredNameNodeTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private ServerSocket nameNode;
  private HadoopStorage storage;

  @BeforeEach
  void listen() throws IOException {
    nameNode = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(
        () -> {
          try {
            while (true) {
              connections.add(nameNode.accept());
            }
          } catch (IOException e) {
            // The test is over.
          }
        });
    URI root = URI.create("hdfs://127.0.0.1:" + nameNode.getLocalPort() + "/root");
    Configuration settings = new Configuration(false);
    settings.set("fs.hdfs.impl", "org.apache.hadoop.hdfs.DistributedFileSystem");
    settings.setInt("ipc.client.rpc-timeout.ms", 600_000);
    storage =
        new HadoopStorage(
            org.apache.hadoop.fs.FileSystem.newInstance(root, settings),
            new org.apache.hadoop.fs.Path(root),
            HdfsLogSettings.DEFAULTS,
            Clock.SYSTEM,
            threads);
  }

  @AfterEach
  void close() throws IOException {
    nameNode.close();
    for (Socket connection : connections) {
      connection.close();
    }
    threads.shutdownNow();
    storage.close();
  }

  @Test
  void aLogFileFailsSoonAndTheNextOneHasAConnectionOfItsOwn() {
    assertThatThrownBy(() -> storage.createFenced("WALs/one"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("WALs/one");
    int first = connections.size();
    assertThatThrownBy(() -> storage.createFenced("WALs/two")).isInstanceOf(IOException.class);
    assertThat(connections).hasSizeGreaterThan(first);
  }

  @Test
  void aLogFileThatFailedIsDeletedWithoutWaiting() throws IOException {
    assertThatThrownBy(() -> storage.createFenced("WALs/one")).isInstanceOf(IOException.class);
    assertThat(storage.delete("WALs/one")).isTrue();
  }
}
