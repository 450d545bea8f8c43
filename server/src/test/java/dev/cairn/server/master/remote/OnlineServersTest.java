package dev.cairn.server.master.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Dead servers are remembered until they are recovered, and up to a limit after that. */
class OnlineServersTest {
  private static final Set<ServerName> MANY =
      IntStream.range(0, 300)
          .mapToObj(i -> new ServerName("host" + i, 16020, 1))
          .collect(Collectors.toSet());

  private final OnlineServers servers = new OnlineServers();

  @Test
  void manyServersThatDieAtOnceStayDeadWhileTheyAreRegistered() {
    servers.update(MANY);
    MANY.forEach(servers::bury);
    MANY.forEach(servers::recovered);
    assertThat(servers.update(MANY).came()).isEmpty();
    assertThat(servers.all()).isEmpty();

    servers.update(Set.of());
    assertThat(servers.dead()).hasSize(OnlineServers.DEAD_MAX);
  }

  @Test
  void manyServersThatDieAtOnceStayDeadUntilTheyAreRecovered() {
    servers.update(MANY);
    servers.update(Set.of());
    MANY.forEach(servers::forgetDead);
    assertThat(servers.dead()).hasSameSizeAs(MANY);

    MANY.forEach(servers::recovered);
    assertThat(servers.dead()).hasSize(OnlineServers.DEAD_MAX);
    List.copyOf(servers.dead()).forEach(servers::forgetDead);
    assertThat(servers.dead()).isEmpty();
  }
}
