package dev.cairn.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class HostAndPortTest {
  @Test
  void addressesOfIpv6StandInBrackets() {
    assertThat(HostAndPort.text("db1.example.com", 16010)).isEqualTo("db1.example.com:16010");
    assertThat(HostAndPort.text("10.0.0.5", 1)).isEqualTo("10.0.0.5:1");
    assertThat(HostAndPort.text("2001:db8::1", 16010)).isEqualTo("[2001:db8::1]:16010");
    assertThat(HostAndPort.text("[2001:db8::1]", 16010)).isEqualTo("[2001:db8::1]:16010");
  }

  @Test
  void whatListensOnAllAddressesIsReachedOnTheLoopback() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    assertThat(HostAndPort.onThisMachine(new InetSocketAddress("0.0.0.0", 7)))
        .isEqualTo(HostAndPort.text(loopback.getHostAddress(), 7));
    assertThat(HostAndPort.onThisMachine(new InetSocketAddress(InetAddress.getByName("::1"), 7)))
        .isEqualTo("[0:0:0:0:0:0:0:1]:7");
  }
}
