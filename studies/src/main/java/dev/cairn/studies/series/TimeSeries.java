package dev.cairn.studies.series;

import dev.cairn.studies.Design;
import dev.cairn.studies.Question;
import dev.cairn.studies.Study;
import dev.cairn.studies.series.SampleRows.Latest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Samples of many hosts: time first, time with buckets, or host first. */
public final class TimeSeries implements Study<Sample, Period> {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int LATEST = 10;

  @Override
  public String name() {
    return "time-series";
  }

  @Override
  public String subject() {
    return "Samples of many hosts: which part of the key comes first?";
  }

  @Override
  public Stream<Sample> facts(long count) {
    return Sample.first(count);
  }

  /** Fewer are stored before the share of the busiest server shows. */
  @Override
  public long usualFacts() {
    return 500_000;
  }

  @Override
  public List<Question<Period>> questions(long count) {
    Instant end = Sample.end(count);
    return List.of(
        new Question<>("an hour of a host", random -> period(host(random), HOUR, end, random)),
        new Question<>(
            "a minute of all hosts", random -> period(Optional.empty(), MINUTE, end, random)),
        new Question<>(
            "the latest 10 of a host",
            random -> new Period(host(random), Sample.BEGIN, end.plusMillis(1), LATEST)));
  }

  private static Period period(
      Optional<String> host, Duration length, Instant end, RandomGenerator random) {
    long millis = Duration.between(Sample.BEGIN, end).toMillis();
    Instant from = Sample.BEGIN.plusMillis(random.nextLong(millis + 1));
    return new Period(host, from, from.plus(length), 0);
  }

  private static Optional<String> host(RandomGenerator random) {
    return Optional.of(Sample.host(random.nextInt(Sample.HOSTS)));
  }

  @Override
  public List<Design<Sample, Period>> designs() {
    return List.of(
        SampleRows.of("time first", "time timestamp, host string", Latest.REVERSED_SCAN),
        SampleRows.of(
            "4 buckets, then time", "salt(4), time timestamp, host string", Latest.REVERSED_SCAN),
        SampleRows.of(
            "16 buckets, then time", "salt(16), time timestamp, host string", Latest.REVERSED_SCAN),
        SampleRows.of(
            "16 buckets by time modulo",
            "salt(16, modulo) of time, time timestamp, host string",
            Latest.REVERSED_SCAN),
        SampleRows.of(
            "16 buckets by host",
            "salt(16) of host, time timestamp, host string",
            Latest.REVERSED_SCAN),
        SampleRows.of("host first, no early end", "host string, time timestamp", Latest.WHOLE_SCAN),
        SampleRows.of("host first", "host string, time timestamp", Latest.REVERSED_SCAN),
        SampleRows.of("host first, latest first", "host string, time timestamp desc", Latest.SCAN),
        SampleRows.of(
            "hash of the host first",
            "hash(murmur3, 2) of host, host string, time timestamp desc",
            Latest.SCAN));
  }

  @Override
  public List<Sample> answer(Stream<Sample> facts, Period asked) {
    return asked.sorted(facts.filter(asked::contains));
  }
}
