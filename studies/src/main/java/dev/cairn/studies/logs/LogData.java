package dev.cairn.studies.logs;

import dev.cairn.studies.Design;
import dev.cairn.studies.Question;
import dev.cairn.studies.Study;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Lines of logs: the order of the key's parts, and names, hashes or numbers in it. */
public final class LogData implements Study<LogLine, Lines> {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static final int LATEST = 20;

  @Override
  public String name() {
    return "log-data";
  }

  @Override
  public String subject() {
    return "Lines of logs: which part of the key comes first, and what stands in it for names?";
  }

  @Override
  public Stream<LogLine> facts(long count) {
    return LogLine.first(count);
  }

  @Override
  public List<Question<Lines>> questions(long count) {
    Instant end = LogLine.end(count);
    return List.of(
        new Question<>(
            "10 min of a host", random -> lines(host(random), none(), TEN_MINUTES, end, random)),
        new Question<>(
            "10 min of a type", random -> lines(none(), type(random), TEN_MINUTES, end, random)),
        new Question<>("a minute of all", random -> lines(none(), none(), MINUTE, end, random)),
        new Question<>(
            "the latest 20 of a host and type",
            random -> new Lines(host(random), type(random), LogLine.BEGIN, end, LATEST)));
  }

  private static Lines lines(
      Optional<String> host,
      Optional<String> type,
      Duration length,
      Instant end,
      RandomGenerator random) {
    long millis = Duration.between(LogLine.BEGIN, end).toMillis();
    Instant from = LogLine.BEGIN.plusMillis(random.nextLong(millis));
    return new Lines(host, type, from, from.plus(length), 0);
  }

  private static Optional<String> none() {
    return Optional.empty();
  }

  private static Optional<String> host(RandomGenerator random) {
    return Optional.of(LogLine.host(random.nextInt(LogLine.HOSTS)));
  }

  private static Optional<String> type(RandomGenerator random) {
    return Optional.of(LogLine.TYPES.get(random.nextInt(LogLine.TYPES.size())));
  }

  @Override
  public List<Design<LogLine, Lines>> designs() {
    return List.of(
        LogRows.of("time first", KeyNames.NAMES, "time timestamp, host string, type string"),
        LogRows.of("host first", KeyNames.NAMES, "host string, type string, time timestamp"),
        LogRows.of("type first", KeyNames.NAMES, "type string, host string, time timestamp"),
        LogRows.of(
            "type first, latest first",
            KeyNames.NAMES,
            "type string, host string, time timestamp desc"),
        LogRows.of(
            "the same, padded names",
            KeyNames.NAMES,
            "type string(16), host string(32), time timestamp desc"),
        LogRows.of(
            "the same, MD5 of names",
            KeyNames.HASHES,
            "type hash(md5), host hash(md5), time timestamp desc"),
        LogRows.of(
            "the same, numbers for names",
            KeyNames.NUMBERS,
            "type uid(1), host uid(3), time timestamp desc"),
        LogRows.of(
            "time first, numbers for names",
            KeyNames.NUMBERS,
            "time timestamp, type uid(1), host uid(3)"));
  }

  @Override
  public List<LogLine> answer(Stream<LogLine> facts, Lines asked) {
    return asked.sorted(facts.filter(asked::contains));
  }
}
