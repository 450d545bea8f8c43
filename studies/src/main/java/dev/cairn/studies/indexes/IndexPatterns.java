package dev.cairn.studies.indexes;

import dev.cairn.studies.Design;
import dev.cairn.studies.Figure;
import dev.cairn.studies.Question;
import dev.cairn.studies.Study;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Connection;

/** Ways to find rows by a value that changes. */
public final class IndexPatterns implements Study<Move, CityQuery> {
  @Override
  public String name() {
    return "index-patterns";
  }

  @Override
  public String subject() {
    return "Users who move from city to city: which index finds those of a city?";
  }

  @Override
  public Stream<Move> facts(long count) {
    return Move.first(count);
  }

  @Override
  public long sequence(Move move, long number) {
    return move.user().hashCode();
  }

  @Override
  public List<Question<CityQuery>> questions(long count) {
    return List.of(
        new Question<>(
            "users of a small city",
            random -> CityQuery.users(Move.city(1 + random.nextInt(Move.CITIES - 1)))),
        new Question<>("users of the great city", random -> CityQuery.users(Move.city(0))),
        new Question<>("their number", random -> CityQuery.count(Move.city(0))));
  }

  @Override
  public List<Design<Move, CityQuery>> designs() {
    return List.copyOf(patterns());
  }

  static List<Pattern> patterns() {
    return List.of(
        new FilteredScan(false),
        new PeriodicIndex(),
        new DualWrite(),
        new CheckedDualWrite(),
        new SummaryTable(),
        new HookedTable(),
        new FilteredScan(true));
  }

  @Override
  public List<?> answer(Stream<Move> moves, CityQuery asked) {
    Map<String, Move> last = new TreeMap<>();
    moves.forEach(move -> last.put(move.user(), move));
    List<User> users =
        last.values().stream()
            .filter(move -> move.city().filter(asked.city()::equals).isPresent())
            .map(move -> new User(move.user(), User.name(move.user()), asked.city()))
            .toList();
    return asked.counted() ? List.of(new CityQuery.Count(asked.city(), users.size())) : users;
  }

  @Override
  public List<Figure> figures(Design<Move, CityQuery> design, Connection connection, long count)
      throws IOException {
    return new Staleness((Pattern) design, connection, count, Staleness.MOVES).figures();
  }
}
