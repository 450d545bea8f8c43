package dev.cairn.server.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RegexStringComparator.EngineType;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that regular expressions match as in HBase, and stop when their call ends. */
class GuardedRegexTest {
  private static final String BACKTRACKING = "(a+)+\\1b";
  private static final byte[] ENDLESS = "a".repeat(60).getBytes(StandardCharsets.UTF_8);

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final EvaluationGuard guard = new EvaluationGuard(Clock.SYSTEM, timer);
  private final FilterParser parser = new FilterParser(getClass().getClassLoader(), guard);

  @AfterEach
  void stopTimer() {
    timer.shutdownNow();
  }

  @ParameterizedTest
  @EnumSource
  void matchesAsInHBase(EngineType engine) throws IOException {
    List<String> patterns =
        List.of("a.c", "^b", "c$", "[x-z]+", "(?i)ABC", "\\p{L}", "\u00e9", "", "a{2,3}", "\\d");
    List<String> values =
        List.of("abc", "a\nc", "ab\nbc", "ABC", "\u00e9t\u00e9", "", "aa", "x1", "a\nb\nc", "42");
    List<Integer> flags =
        List.of(0, Pattern.CASE_INSENSITIVE, Pattern.DOTALL, Pattern.MULTILINE, 2 | 8 | 32);
    for (Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1)) {
      for (String pattern : patterns) {
        for (int flag : flags) {
          RegexStringComparator stock = new RegexStringComparator(pattern, flag, engine);
          stock.setCharset(charset);
          ByteArrayComparable guarded = guarded(stock);
          for (String value : values) {
            byte[] bytes = value.getBytes(charset);
            byte[] within = Arrays.copyOf(("__" + value + "zz9").getBytes(charset), 40);
            int expected = stock.compareTo(bytes, 0, bytes.length);
            assertThat(guarded.compareTo(within, 2, bytes.length))
                .as("%s, flags %d, in <%s> as %s", pattern, flag, value, charset)
                .isEqualTo(expected);
          }
          assertThat(guarded.toByteArray()).isEqualTo(stock.toByteArray());
          assertThat(guarded.getValue()).isEqualTo(stock.getValue());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void stopsWhenTheCallTimesOut(EngineType engine) throws IOException {
    ByteArrayComparable regex = guarded(new RegexStringComparator(BACKTRACKING, engine));
    assertThatThrownBy(
            () ->
                compare(
                    regex,
                    guard.limit(
                        Clock.SYSTEM.nanoTime(), Duration.ofMillis(200).toNanos(), () -> false)))
        .isInstanceOfSatisfying(
            EvaluationEndedException.class,
            ended ->
                assertThat(ended.forClient("The filter"))
                    .isInstanceOf(DoNotRetryIOException.class)
                    .hasMessageContainingAll("The filter: ", "200 ms", "hbase.rpc.timeout"));
  }

  @ParameterizedTest
  @EnumSource
  void stopsWhenTheCallerDisconnects(EngineType engine) throws IOException {
    ByteArrayComparable regex = guarded(new RegexStringComparator(BACKTRACKING, engine));
    AtomicBoolean gone = new AtomicBoolean(true);
    assertThatThrownBy(
            () ->
                compare(
                    regex,
                    guard.limit(Clock.SYSTEM.nanoTime(), Duration.ofDays(1).toNanos(), gone::get)))
        .isInstanceOf(EvaluationEndedException.class);
  }

  @Test
  void aShortSearchAtTheEndOfALongCallMayBeRetried() throws IOException {
    ByteArrayComparable regex = guarded(new RegexStringComparator(BACKTRACKING));
    long hourAgo = Clock.SYSTEM.nanoTime() - Duration.ofHours(1).toNanos();
    assertThatThrownBy(
            () -> compare(regex, guard.limit(hourAgo, Duration.ofHours(1).toNanos(), () -> false)))
        .isInstanceOfSatisfying(
            EvaluationEndedException.class,
            ended ->
                assertThat(ended.forClient("The filter"))
                    .isNotInstanceOf(DoNotRetryIOException.class));
  }

  private static void compare(ByteArrayComparable regex, EvaluationGuard.Limit limit) {
    try (limit) {
      regex.compareTo(ENDLESS, 0, ENDLESS.length);
    }
  }

  private ByteArrayComparable guarded(RegexStringComparator stock) throws IOException {
    return parser.comparator(ProtobufUtil.toComparator(stock));
  }
}
