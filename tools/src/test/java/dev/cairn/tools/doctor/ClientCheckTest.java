package dev.cairn.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.tools.doctor.Finding.Level;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.Test;

/** Tests the findings of a client without a server. */
class ClientCheckTest {
  @Test
  void aServerThatDoesNotAnswerIsAProblem() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Patience patience = new Patience(Duration.ofSeconds(2))) {
      String quorum = "127.0.0.1:" + silent.getLocalPort();
      Configuration client = HBaseConfiguration.addHbaseResources(new Configuration());
      client.set(HConstants.ZOOKEEPER_QUORUM, quorum);
      Diagnosis diagnosis = new Diagnosis();
      new ClientCheck(client, patience, Throwable::getMessage).run(diagnosis);
      assertThat(diagnosis.findings())
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.level()).isEqualTo(Level.PROBLEM);
                assertThat(finding.what()).startsWith("A client cannot connect through ZooKeeper");
                assertThat(finding.where()).isEqualTo(quorum);
                assertThat(finding.remedy()).isNotEmpty();
              });
    }
  }
}
