package dev.cairn.server.master.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.master.procedure.ProcedureRecord.Nonce;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.junit.jupiter.api.Test;

/** Checks how long a repeated request waits for the first one. */
class NonceTurnsTest {
  private static final Nonce NONCE = new Nonce(1, 2);

  private final NonceTurns turns = new NonceTurns(Clock.SYSTEM);

  @Test
  void aRepeatWaitsNoLongerThanItsCaller() throws IOException {
    String answer =
        turns.inTurn(
            NONCE,
            Duration.ofMinutes(2),
            () -> {
              assertThatThrownBy(() -> turns.inTurn(NONCE, Duration.ofMillis(1), () -> "second"))
                  .isInstanceOf(PleaseHoldException.class);
              return turns.inTurn(new Nonce(1, 3), Duration.ZERO, () -> "other");
            });
    assertThat(answer).isEqualTo("other");
    assertThat(turns.<String>inTurn(NONCE, Duration.ZERO, () -> "third")).isEqualTo("third");
  }
}
