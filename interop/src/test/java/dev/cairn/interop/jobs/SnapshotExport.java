package dev.cairn.interop.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.snapshot.ExportSnapshot;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.ToolRunner;
import org.slf4j.LoggerFactory;

/** Runs Apache's {@code ExportSnapshot}, whose job only shows its counters in the log. */
final class SnapshotExport {
  /** The counters of files; those of bytes depend on what else a server writes into its files. */
  private static final Pattern FILES =
      Pattern.compile("(FILES_\\w+|MISSING_FILES|COPY_FAILED|Map (in|out)put records)=\\d+");

  private SnapshotExport() {}

  /** Exports a snapshot and returns the counters of its job. */
  static List<String> run(Configuration settings, String... arguments) throws Exception {
    Logger log = (Logger) LoggerFactory.getLogger(Job.class);
    Level level = log.getLevel();
    ListAppender<ILoggingEvent> events = new ListAppender<>();
    events.start();
    log.setLevel(Level.INFO);
    log.addAppender(events);
    try {
      assertThat(ToolRunner.run(settings, new ExportSnapshot(), arguments)).isZero();
    } finally {
      log.detachAppender(events);
      log.setLevel(level);
    }
    return events.list.stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(message -> message.startsWith("Counters: "))
        .flatMap(String::lines)
        .map(String::strip)
        .filter(line -> FILES.matcher(line).matches())
        .sorted()
        .toList();
  }
}
