package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.ServerRole;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The start code of a server, by which its lives are told apart. */
class BoundServerTest {
  private static final BoundServer SERVER =
      new BoundServer(ServerRole.REGION_SERVER, new ServerName("one", 16020, 1_000), null);

  @Test
  void theClockGivesTheStartCode() {
    List<ServerName> known =
        List.of(new ServerName("one", 16020, 999), new ServerName("two", 16020, 5_000));
    assertThat(SERVER.startedAfter(known)).isEqualTo(SERVER);
  }

  @Test
  void aServerWhoseClockWasSetBackIsALaterLifeAllTheSame() {
    List<ServerName> known =
        List.of(new ServerName("one", 16020, 3_000), new ServerName("one", 16020, 2_000));
    assertThat(SERVER.startedAfter(known).name()).isEqualTo(new ServerName("one", 16020, 3_001));
  }

  /** The second life begins a millisecond later, after a million scanners. */
  @Test
  void idsOfScannersDoNotMeetThoseOfAnEarlierLife() {
    BoundServer later = SERVER.startedAfter(List.of(SERVER.name()));
    assertThat(later.firstScannerId()).isGreaterThan(SERVER.firstScannerId() + 1_000_000);
  }
}
