package dev.cairn.server.process;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Page;
import dev.cairn.server.page.PageInfo;
import dev.cairn.server.page.PageInfo.MenuGroup;
import dev.cairn.server.page.PageRequest;
import dev.cairn.server.page.PageSource;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Timeline;
import dev.cairn.server.page.Timeline.Event;
import dev.cairn.server.page.Value;
import dev.cairn.server.process.event.EventRing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The page of events: a time line of the latest minutes, and a table of all events. */
final class EventsPage implements PageSource {
  private static final long MINUTE = 60_000;
  private static final long MINUTES = 60;
  private static final long MINUTES_MAX = 14 * 24 * 60;

  /** More events would overlap in the picture; the table has all. */
  private static final int DRAWN_MAX = 500;

  private final Clock clock;
  private final EventRing ring;
  private final Supplier<List<HostedServer>> servers;

  /**
   * Creates the page.
   *
   * @param servers servers that know more events
   */
  EventsPage(Clock clock, EventRing ring, Supplier<List<HostedServer>> servers) {
    this.clock = clock;
    this.ring = ring;
    this.servers = servers;
  }

  @Override
  public PageInfo info() {
    return PageInfo.of(
            "events",
            "Events",
            MenuGroup.CLUSTER,
            "Flushes, compactions, openings, procedures, moves of regions and changes of servers on"
                + " a time line.")
        .with("minutes", "how far the line goes back; 60 unless given", false);
  }

  @Override
  public Page build(PageRequest request) {
    long now = clock.currentTimeMillis();
    long minutes =
        request
            .parameter("minutes")
            .filter(text -> text.matches("[1-9][0-9]{0,5}"))
            .map(Long::parseLong)
            .orElse(MINUTES);
    long from = now - Math.min(MINUTES_MAX, minutes) * MINUTE;
    Map<String, String> tables = new HashMap<>();
    servers.get().stream()
        .flatMap(server -> server.regions().stream())
        .forEach(region -> tables.put(region.encodedName(), region.info().table().toString()));
    List<Event> events =
        new ArrayList<>(ring.all(region -> Optional.ofNullable(tables.get(region))));
    servers.get().forEach(server -> events.addAll(server.events()));
    events.sort(Comparator.comparingLong(Event::endMillis).reversed());
    List<Event> drawn =
        events.stream().filter(event -> event.endMillis() >= from).limit(DRAWN_MAX).toList();
    long begin =
        Math.max(
            from, drawn.stream().mapToLong(Event::startMillis).min().orElse(from) - MINUTE / 2);
    return Page.of(
        "Events",
        new Timeline("timeline", "Time line", begin, now, drawn),
        Table.of("events", "Events", events)
            .time("startMillis", "Began", Event::startMillis)
            .column("lane", "Event", Kind.STATE, event -> Value.state(event.level(), event.lane()))
            .millis("millis", "Took", event -> event.endMillis() - event.startMillis())
            .text("what", "What", Event::what)
            .sortedBy("-startMillis")
            .whenEmpty("There are no events yet.")
            .build());
  }
}
