package dev.cairn.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class AdvertisedHostTest {
  private static final SiteConfig NOTHING_SET = new SiteConfig(Map.of());
  private static final InetAddress ALL = address("0.0.0.0");

  private static InetAddress address(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** A machine of that name and address, with a way outward or not. */
  private record Machine(
      String name, Map<String, List<String>> nameService, Set<String> own, Optional<String> way)
      implements HostNames {
    @Override
    public String localName() {
      return name;
    }

    @Override
    public List<InetAddress> addresses(String of) throws IOException {
      if (!nameService.containsKey(of)) {
        throw new UnknownHostException(of);
      }
      return nameService.get(of).stream().map(AdvertisedHostTest::address).toList();
    }

    @Override
    public boolean isLocal(InetAddress address) {
      return own.contains(address.getHostAddress());
    }

    @Override
    public Optional<InetAddress> outward() {
      return way.map(AdvertisedHostTest::address);
    }
  }

  private static String find(HostNames names, SiteConfig config, InetAddress listening) {
    return new AdvertisedHost(names, Runnable::run, Duration.ofSeconds(10))
        .find(config, ServerRole.REGION_SERVER, listening);
  }

  private static Machine server(List<String> addresses) {
    return new Machine(
        "db1.example.com",
        Map.of("db1.example.com", addresses),
        Set.of("10.0.0.5", "127.0.0.1"),
        Optional.of("10.0.0.5"));
  }

  @Test
  void aServerWithANameIsKnownByIt() {
    assertThat(find(server(List.of("10.0.0.5")), NOTHING_SET, ALL)).isEqualTo("db1.example.com");
  }

  @Test
  void aNameThatLeadsElsewhereOrToTheLoopbackDoesNotCount() {
    assertThat(find(server(List.of("127.0.1.1")), NOTHING_SET, ALL)).isEqualTo("10.0.0.5");
    assertThat(find(server(List.of("10.9.9.9")), NOTHING_SET, ALL)).isEqualTo("10.0.0.5");
    assertThat(find(server(List.of("10.0.0.5", "10.9.9.9")), NOTHING_SET, ALL))
        .isEqualTo("10.0.0.5");
    assertThat(find(server(List.of()), NOTHING_SET, ALL)).isEqualTo("10.0.0.5");
  }

  @Test
  void aContainerIsKnownByItsAddress() {
    Machine container =
        new Machine(
            "3f2a9c",
            Map.of("3f2a9c", List.of("172.17.0.2")),
            Set.of("172.17.0.2"),
            Optional.of("172.17.0.2"));
    assertThat(find(container, NOTHING_SET, ALL)).isEqualTo("172.17.0.2");
  }

  @Test
  void aMachineWithoutNetworkIsLocalhost() {
    Machine laptop = new Machine("laptop", Map.of(), Set.of("127.0.0.1"), Optional.empty());
    assertThat(find(laptop, NOTHING_SET, ALL)).isEqualTo("localhost");
  }

  @Test
  void aServerOnOneAddressIsKnownByThat() {
    Machine server = server(List.of("10.0.0.5"));
    assertThat(find(server, NOTHING_SET, address("127.0.0.1"))).isEqualTo("localhost");
    assertThat(find(server, NOTHING_SET, address("10.0.0.5"))).isEqualTo("10.0.0.5");
  }

  @Test
  void keysGoFirstHBasesOwnBeforeTheCommonOne() {
    SiteConfig common = NOTHING_SET.with(HostKeys.HOSTNAME, "public.example.com");
    Machine server = server(List.of("10.0.0.5"));
    assertThat(find(server, common, ALL)).isEqualTo("public.example.com");
    assertThat(find(server, common.with(HostKeys.MASTER_HOSTNAME, "m"), ALL))
        .isEqualTo("public.example.com");
    SiteConfig region = common.with(HostKeys.REGION_SERVER_HOSTNAME, "rs");
    assertThat(find(server, region, ALL)).isEqualTo("rs");
    assertThat(find(server, region.with(HostKeys.UNSAFE_REGION_SERVER_HOSTNAME, "new"), ALL))
        .isEqualTo("new");
    assertThat(find(server, region.with(HostKeys.REGION_SERVER_HOSTNAME, " "), ALL))
        .isEqualTo("public.example.com");
  }

  @Test
  void refusesWhatNobodyCanConnectTo() {
    for (String wrong : List.of("0.0.0.0", "a b", "a,b", "http://a")) {
      assertThatThrownBy(
              () ->
                  find(
                      server(List.of("10.0.0.5")), NOTHING_SET.with(HostKeys.HOSTNAME, wrong), ALL))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("cairn.hostname");
    }
  }

  @Test
  void aNameServiceThatHangsOrFailsIsAsGoodAsNone() {
    CountDownLatch never = new CountDownLatch(1);
    Machine network = server(List.of("10.0.0.5"));
    HostNames hanging =
        new HostNames() {
          @Override
          public String localName() throws IOException {
            try {
              never.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            return "";
          }

          @Override
          public List<InetAddress> addresses(String name) {
            return List.of();
          }

          @Override
          public boolean isLocal(InetAddress address) {
            return true;
          }

          @Override
          public Optional<InetAddress> outward() {
            return network.outward();
          }
        };
    Executor threads =
        task -> {
          Thread thread = new Thread(task);
          thread.setDaemon(true);
          thread.start();
        };
    assertThat(
            new AdvertisedHost(hanging, threads, Duration.ofMillis(50))
                .find(NOTHING_SET, ServerRole.MASTER, ALL))
        .isEqualTo("10.0.0.5");
    never.countDown();
    Machine unnamed = new Machine("db1.example.com", Map.of(), Set.of(), Optional.of("10.0.0.5"));
    assertThat(find(unnamed, NOTHING_SET, ALL)).isEqualTo("10.0.0.5");
  }

  @Test
  void thisMachineHasAHostToTell() {
    assertThat(find(HostNames.system(), NOTHING_SET, ALL)).isNotBlank();
  }
}
