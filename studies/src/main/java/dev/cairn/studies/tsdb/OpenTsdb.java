package dev.cairn.studies.tsdb;

import dev.cairn.studies.Design;
import dev.cairn.studies.Question;
import dev.cairn.studies.Study;
import dev.cairn.studies.tsdb.HourRows.Cells;
import dev.cairn.studies.tsdb.PointTable.Blocks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Points of metrics: a row for a point, or for an hour, with one cell or many. */
public final class OpenTsdb implements Study<Point, Span> {
  private static final Duration HOUR = Duration.ofHours(1);

  @Override
  public String name() {
    return "opentsdb";
  }

  @Override
  public String subject() {
    return "Points of metrics: a row for each point or for an hour, and a cell for each or for all?";
  }

  @Override
  public Stream<Point> facts(long count) {
    return Point.first(count);
  }

  @Override
  public List<Question<Span>> questions(long count) {
    Instant end = Point.last(count).plusSeconds(1);
    return List.of(
        new Question<>(
            "an hour of a series", random -> hour(Optional.of(host(random)), end, random)),
        new Question<>("an hour of a metric", random -> hour(Optional.empty(), end, random)),
        new Question<>(
            "the latest point of a series",
            random -> new Span(metric(random), Optional.of(host(random)), Point.BEGIN, end, true)));
  }

  private static Span hour(Optional<String> host, Instant end, RandomGenerator random) {
    long seconds = Duration.between(Point.BEGIN, end).toSeconds();
    Instant from = Point.BEGIN.plusSeconds(random.nextLong(seconds));
    return new Span(metric(random), host, from, from.plus(HOUR), false);
  }

  private static String metric(RandomGenerator random) {
    return Point.metric(random.nextInt(Point.METRICS));
  }

  private static String host(RandomGenerator random) {
    return Point.host(random.nextInt(Point.HOSTS));
  }

  @Override
  public List<Design<Point, Span>> designs() {
    return List.of(
        PointRows.of("row per point", Blocks.PLAIN),
        PointRows.of("row per point, FAST_DIFF", Blocks.FAST_DIFF),
        PointRows.of("row per point, FAST_DIFF + ZSTD", Blocks.FAST_DIFF_ZSTD),
        HourRows.of("row per hour", Cells.POINTS, Blocks.PLAIN),
        HourRows.of("row per hour, FAST_DIFF", Cells.POINTS, Blocks.FAST_DIFF),
        HourRows.of("row per hour, FAST_DIFF + ZSTD", Cells.POINTS, Blocks.FAST_DIFF_ZSTD),
        HourRows.of("row per hour, joined", Cells.JOINED, Blocks.PLAIN),
        HourRows.of("row per hour, joined, ZSTD", Cells.JOINED, Blocks.ZSTD),
        HourRows.of("row per hour, appended", Cells.APPENDED, Blocks.PLAIN));
  }

  @Override
  public List<Point> answer(Stream<Point> facts, Span asked) {
    return asked.sorted(facts);
  }
}
