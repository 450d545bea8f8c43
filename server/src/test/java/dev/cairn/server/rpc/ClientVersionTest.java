package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.rpc.service.ClientVersion;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.VersionInfo;
import org.junit.jupiter.api.Test;

/** Tests how the version is read from each form of connection header. */
class ClientVersionTest {
  @Test
  void clientsFromOneThreeOnSendNumbers() {
    ClientVersion version =
        ClientVersion.of(
            VersionInfo.newBuilder(text("whatever")).setVersionMajor(2).setVersionMinor(6).build());
    assertThat(version).isEqualTo(new ClientVersion(2, 6));
  }

  @Test
  void olderClientsSendAText() {
    assertThat(ClientVersion.of(text("1.2.12"))).isEqualTo(new ClientVersion(1, 2));
    assertThat(ClientVersion.of(text("0.98.24-hadoop2"))).isEqualTo(new ClientVersion(0, 98));
    assertThat(ClientVersion.of(text("1.3-SNAPSHOT"))).isEqualTo(new ClientVersion(1, 3));
  }

  @Test
  void otherClientsHaveNoVersion() {
    for (String text : new String[] {"", "1", "one.two", "1.", ".3", "99999999999.1", "-1.3"}) {
      assertThat(ClientVersion.of(text(text))).as(text).isEqualTo(ClientVersion.UNKNOWN);
    }
    assertThat(ClientVersion.of(VersionInfo.getDefaultInstance())).isEqualTo(ClientVersion.UNKNOWN);
  }

  @Test
  void versionsAreInOrder() {
    ClientVersion version = new ClientVersion(1, 3);
    assertThat(version.isAtLeast(1, 3)).isTrue();
    assertThat(version.isAtLeast(0, 98)).isTrue();
    assertThat(version.isAtLeast(1, 4)).isFalse();
    assertThat(version.isAtLeast(2, 0)).isFalse();
    assertThat(ClientVersion.UNKNOWN.isAtLeast(0, 94)).isFalse();
  }

  private static VersionInfo text(String version) {
    return VersionInfo.newBuilder()
        .setVersion(version)
        .setUrl("")
        .setRevision("")
        .setUser("")
        .setDate("")
        .setSrcChecksum("")
        .build();
  }
}
