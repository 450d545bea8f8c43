package dev.cairn.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import dev.cairn.server.log.ServerLog.LogLevel;
import dev.cairn.server.log.ServerLog.LoggerLevel;
import dev.cairn.server.page.Frame;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Pages;
import dev.cairn.server.page.Value;
import dev.cairn.server.page.WebAnswer;
import dev.cairn.server.page.WebSender;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The latest lines of the log, and the levels of loggers. */
class LogPagesTest {
  private static final String NAME = "test.log.pages";

  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

  private final Appender<ILoggingEvent> console = root.getAppender("console");
  private final Logger logger = (Logger) LoggerFactory.getLogger(NAME);
  private final ServerLog log = ServerLog.open().orElseThrow();
  private final Pages pages =
      new Pages(
          new LogPages(log).parts(),
          () ->
              new Frame(
                  "host:1", List.of(), "1", new Value.State(Level.GOOD, "ok"), 1_700_000_000_000L),
          () -> true);

  @BeforeEach
  void silence() {
    root.detachAppender(console);
  }

  @AfterEach
  void restore() {
    log.close();
    logger.setLevel(null);
    root.addAppender(console);
  }

  private JsonObject json(String path, Map<String, String> parameters) {
    WebAnswer answer = pages.answer(path, parameters);
    assertThat(answer.code()).as(answer.body()).isEqualTo(200);
    return JsonParser.parseString(answer.body()).getAsJsonObject();
  }

  private List<String> messages(Map<String, String> parameters) {
    return json("/api/v1/log", parameters)
        .getAsJsonObject("lines")
        .getAsJsonArray("rows")
        .asList()
        .stream()
        .map(row -> row.getAsJsonObject().get("message").getAsString())
        .toList();
  }

  @Test
  void theLatestLinesComeFirstAndSeveritySelects() {
    logger.warn("a <b> of {}", 1);
    logger.error("failed", new IllegalStateException("the cause"));
    assertThat(messages(Map.of())).hasSize(2).last().isEqualTo("a <b> of 1");
    assertThat(messages(Map.of("level", "error")).get(0))
        .startsWith("failed\njava.lang.IllegalStateException: the cause")
        .contains("LogPagesTest");
    assertThat(messages(Map.of("level", "error"))).hasSize(1);
    assertThat(messages(Map.of("lines.filter", "A <B>"))).containsExactly("a <b> of 1");
    assertThat(pages.answer("/log", Map.of()).body()).contains("a &lt;b&gt; of 1");
    assertThat(pages.answer("/log", Map.of("level", "loud")).code()).isEqualTo(400);
  }

  @Test
  void linesAreBoundedInNumberAndLength() {
    for (int i = 0; i < LogbackLog.LINES_MAX + 5; i++) {
      logger.warn("line {}", i);
    }
    assertThat(log.lines()).hasSize(LogbackLog.LINES_MAX);
    assertThat(log.lines().get(LogbackLog.LINES_MAX - 1).message()).isEqualTo("line 5");
    for (int i = 0; i < 200; i++) {
      logger.warn("x".repeat(2 * LogbackLog.MESSAGE_MAX));
    }
    assertThat(log.lines().stream().mapToInt(line -> line.message().length()).sum())
        .isBetween(LogbackLog.CHARS_MAX - 2 * LogbackLog.MESSAGE_MAX, LogbackLog.CHARS_MAX);
    assertThat(log.lines().get(0).message()).hasSize(LogbackLog.MESSAGE_MAX + 1).endsWith("…");
  }

  @Test
  void anActionSetsTheLevelOfALoggerAndGivesItBack() {
    assertThat(logger.isDebugEnabled()).isFalse();
    assertThat(set("debug")).contains("logs from DEBUG on");
    logger.debug("a step");
    assertThat(messages(Map.of())).containsExactly("a step");
    assertThat(json("/api/v1/levels", Map.of("loggers.filter", NAME)).toString())
        .contains("\"effective\":\"DEBUG\",\"own\":\"DEBUG\"");
    assertThat(set("INHERITED")).contains("logs from WARN on");
    assertThat(logger.isDebugEnabled()).isFalse();
    assertThat(set("loud")).contains("error", "must be one of TRACE, DEBUG");
  }

  private String set(String level) {
    String token = json("/api/v1/actions", Map.of()).get("token").getAsString();
    return pages
        .act(
            "/api/v1/actions/set-log-level",
            Map.of("token", token, "log", NAME, "level", level),
            new WebSender("test", "localhost:1", "", ""))
        .body();
  }

  @Test
  void hadoopsCommandReadsALevelAndCannotSetIt() {
    logger.setLevel(ch.qos.logback.classic.Level.ERROR);
    assertThat(pages.answer("/logLevel", Map.of("log", NAME + ".Child")).body())
        .contains("<!-- OUTPUT -->Effective Level: <b>ERROR</b>");
    assertThat(log.loggers()).extracting(LoggerLevel::logger).doesNotContain(NAME + ".Child");
    assertThat(pages.answer("/logLevel", Map.of("log", NAME, "level", "DEBUG")).code())
        .isEqualTo(400);
    assertThat(pages.answer("/logLevel", Map.of("log", "<b>")).code()).isEqualTo(400);
    assertThat(log.logger(NAME).own()).isEqualTo(Optional.of(LogLevel.ERROR));
  }
}
