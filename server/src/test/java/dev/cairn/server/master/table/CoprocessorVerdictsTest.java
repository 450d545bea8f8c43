package dev.cairn.server.master.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class CoprocessorVerdictsTest {
  private static TableSchema table(String value) {
    return TableSchema.of(TableName.parse("t"), FamilySchema.of("f", Map.of()))
        .with("coprocessor$1", value);
  }

  @Test
  void onlyWhatWasExaminedIsKnownAndTheLoopNeverExamines() throws IOException {
    AtomicInteger examined = new AtomicInteger();
    CoprocessorVerdicts verdicts =
        new CoprocessorVerdicts(
            schema -> {
              examined.incrementAndGet();
              return schema
                  .attribute("coprocessor$1")
                  .filter("|bad||"::equals)
                  .map(value -> new CoprocessorVerdicts.Refusal(value, false));
            },
            "coprocessor$1"::equals,
            Runnable::run);
    assertThat(verdicts.refusal(table("|bad||"))).isEmpty();
    assertThat(examined).hasValue(0);
    verdicts.examine(table("|bad||"));
    verdicts.examine(table("|good||"));
    verdicts.examine(TableSchema.of(TableName.parse("t"), FamilySchema.of("f", Map.of())));
    assertThat(examined).hasValue(2);
    assertThat(verdicts.refusal(table("|bad||").with("other", "x")))
        .contains(new CoprocessorVerdicts.Refusal("|bad||", false));
    assertThat(verdicts.refusal(table("|good||"))).isEmpty();
    assertThat(examined).hasValue(2);
  }

  @Test
  void aJarThatCannotBeReadInTimeIsRefusedAndTakesFewThreads() throws IOException {
    CountDownLatch end = new CountDownLatch(1);
    CoprocessorVerdicts verdicts =
        new CoprocessorVerdicts(
            schema -> {
              while (end.getCount() > 0) {
                LockSupport.parkNanos(1_000_000);
              }
              return Optional.empty();
            },
            "coprocessor$1"::equals,
            task -> new Thread(task).start(),
            Duration.ofMillis(1));
    try {
      for (int i = 0; i < 4; i++) {
        verdicts.examine(table("hang" + i + "|a.B||"));
        assertThat(verdicts.refusal(table("hang" + i + "|a.B||")).orElseThrow().reason())
            .contains("could not be read in");
      }
      assertThatThrownBy(() -> verdicts.examine(table("more|a.B||")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("cannot be examined while");
    } finally {
      end.countDown();
    }
  }
}
