package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import dev.cairn.server.page.Timeline.Event;
import dev.cairn.server.process.event.EventRing;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The events of a process are kept in the order in which they ended, and bounded. */
class EventRingTest {
  private static final ServerName ONE = new ServerName("one", 16020, 1);
  private static final ServerName TWO = new ServerName("two", 16020, 1);

  private final EventRing ring = new EventRing(Clock.SYSTEM);

  private List<Event> all() {
    return ring.all(region -> Optional.empty());
  }

  private static ClusterState state(ServerName... regionServers) {
    return new ClusterState(
        Optional.empty(),
        Optional.of(ONE),
        List.of(),
        Optional.empty(),
        Set.of(regionServers),
        true);
  }

  @Test
  void serversThatComeAndGoAreEvents() {
    ring.changed(state(ONE));
    assertThat(all()).isEmpty();
    ring.changed(state(ONE, TWO));
    ring.changed(state(TWO));
    assertThat(all())
        .extracting(Event::what)
        .containsExactly("Region server two,16020,1 registered", "Region server one,16020,1 left");
  }

  @Test
  void anEventBeginsAtItsEndMinusItsDuration() {
    ring.flushEnded("r", 1, 10, 5_000_000_000L);
    ring.flushFailed("r", new IOException("no room"));
    Event flush = all().get(0);
    assertThat(flush.endMillis() - flush.startMillis()).isEqualTo(5_000);
    assertThat(all().get(1).what()).contains("no room");
  }

  @Test
  void theTableOfARegionIsNamedIfItIsKnown() {
    ring.regionClosed("one");
    ring.regionClosed("two");
    assertThat(ring.all(region -> Optional.of("t").filter(name -> region.equals("one"))))
        .extracting(Event::what)
        .containsExactly("Closed one (table t)", "Closed two");
  }

  @Test
  void theOldestEventsAreForgotten() {
    for (int i = 0; i < EventRing.EVENTS_MAX + 10; i++) {
      ring.regionClosed("region" + i);
    }
    assertThat(all()).hasSize(EventRing.EVENTS_MAX);
    assertThat(all().get(0).what()).isEqualTo("Closed region10");
  }
}
