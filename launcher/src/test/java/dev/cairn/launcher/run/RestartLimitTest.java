package dev.cairn.launcher.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.launcher.output.LauncherException;
import dev.cairn.server.config.AddressException;
import dev.cairn.server.config.ConfigException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Servers that end again and again. */
class RestartLimitTest {
  private final RestartLimit limit = new RestartLimit();

  @Test
  void aServerThatHasLivedForAWhileStartsAtOnce() {
    for (int minutes = 0; minutes < 600; minutes += 2) {
      assertThat(limit.next(Duration.ofMinutes(minutes))).hasValue(Duration.ZERO);
    }
  }

  @Test
  void aServerThatEndsAtOnceWaitsLongerEachTimeAndThenStaysDown() {
    Duration now = Duration.ZERO;
    List<Long> pauses = new ArrayList<>();
    Optional<Duration> pause = limit.next(now);
    while (pause.isPresent()) {
      pauses.add(pause.get().toSeconds());
      now = now.plus(pause.get());
      pause = limit.next(now);
    }
    assertThat(pauses).startsWith(0L, 1L, 2L, 4L, 8L, 16L, 30L, 30L).hasSize(40);
    assertThat(now).isGreaterThan(Duration.ofMinutes(15));
    assertThat(limit.next(now.plus(RestartLimit.WINDOW))).hasValue(Duration.ZERO);
  }

  @Test
  void aStartThatFailsIsTriedAgain() throws Exception {
    List<String> notices = new ArrayList<>();
    List<String> failures = new ArrayList<>(List.of("no file system"));
    Restarts restarts = new Restarts(notices::add);
    String started =
        restarts.start(
            "The session is over",
            () -> {
              if (!failures.isEmpty()) {
                throw new IOException(failures.remove(0));
              }
              return "server";
            });
    assertThat(started).isEqualTo("server");
    assertThat(notices)
        .containsExactly(
            "The session is over. Restarting",
            "The start failed: no file system. Restarting in 1 s");
  }

  @Test
  void anAddressThatCannotBeUsedIsAFailureThatMayPassButABadSettingIsNot() throws Exception {
    List<ConfigException> failures =
        new ArrayList<>(
            List.of(
                new AddressException("the name leads elsewhere", new IOException()),
                new ConfigException("bad setting")));
    List<String> notices = new ArrayList<>();
    Restarts restarts = new Restarts(notices::add);
    assertThatThrownBy(
            () ->
                restarts.start(
                    "The session is over",
                    () -> {
                      throw failures.remove(0);
                    }))
        .hasMessage("bad setting");
    assertThat(notices)
        .containsExactly(
            "The session is over. Restarting",
            "The start failed: the name leads elsewhere. Restarting in 1 s");
  }

  /** The file system may be away for longer than any number of attempts takes. */
  @Test
  void startsThatFailAreNoLives() throws Exception {
    for (int i = 0; i < RestartLimit.STARTS_MAX - 1; i++) {
      limit.next(Duration.ofNanos(System.nanoTime()).minusMinutes(2));
    }
    List<String> notices = new ArrayList<>();
    int[] failures = {2};
    String started =
        new Restarts(limit, notices::add)
            .start(
                "The session is over",
                () -> {
                  if (failures[0]-- > 0) {
                    throw new IOException("no file system");
                  }
                  return "server";
                });
    assertThat(started).isEqualTo("server");
    assertThat(notices).hasSize(3).last().asString().endsWith("Restarting in 2 s");
  }

  @Test
  void aLifeBeginsWhenTheStartIsDone() {
    Duration begin = Duration.ZERO;
    limit.next(begin);
    limit.started(begin.plusMinutes(5));
    assertThat(limit.next(begin.plusMinutes(5).plusSeconds(1))).hasValue(Duration.ofSeconds(1));
  }

  @Test
  void aServerThatStaysDownSaysWhy() {
    for (int i = 0; i < RestartLimit.STARTS_MAX; i++) {
      limit.next(Duration.ofNanos(System.nanoTime()));
    }
    Restarts restarts = new Restarts(limit, notice -> {});
    assertThatThrownBy(() -> restarts.start("The session is over", () -> "server"))
        .isInstanceOf(LauncherException.class)
        .hasMessageContaining("The session is over")
        .hasMessageContaining("stays down");
  }
}
