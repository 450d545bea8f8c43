package dev.cairn.studies.list;

import dev.cairn.studies.Design;
import dev.cairn.studies.Question;
import dev.cairn.studies.Study;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** Lists of values. */
public final class UserLists implements Study<Change, Ask> {
  private static final int LATEST = 10;

  @Override
  public String name() {
    return "user-lists";
  }

  @Override
  public String subject() {
    return "A list for each user: one cell, pages, columns or rows; and how do values go?";
  }

  @Override
  public long usualFacts() {
    return 100_000;
  }

  @Override
  public Stream<Change> facts(long count) {
    return Change.first(count);
  }

  @Override
  public long sequence(Change change, long number) {
    return change.user().hashCode();
  }

  @Override
  public List<Question<Ask>> questions(long count) {
    return List.of(
        new Question<>("the latest 10", random -> new Ask.Latest(Change.anyUser(random), LATEST)),
        new Question<>(
            "the latest 10 of the busiest", random -> new Ask.Latest(Change.BUSIEST, LATEST)),
        new Question<>("all of a user", random -> Ask.Latest.all(Change.anyUser(random))),
        new Question<>("all of the busiest", random -> Ask.Latest.all(Change.BUSIEST)),
        new Question<>(
            "is a value in a list",
            random -> {
              long value = random.nextLong(count);
              return new Ask.Contains(Change.userOf(value), value);
            }),
        new Question<>(
            "add and remove",
            random -> new Ask.AddAndRemove(Change.anyUser(random), count + random.nextInt(LATEST))),
        new Question<>(
            "add and remove, busiest",
            random -> new Ask.AddAndRemove(Change.BUSIEST, count + random.nextInt(LATEST))));
  }

  @Override
  public List<Design<Change, Ask>> designs() {
    return List.of(
        new AppendedCell(),
        new LinkedPages(),
        new CountedColumns(),
        new ColumnForValue(),
        RowForValue.withDeletes(),
        RowForValue.withFamilyTtl(),
        RowForValue.withCellTtl());
  }

  @Override
  public List<?> answer(Stream<Change> facts, Ask asked) {
    List<Long> values = new ArrayList<>();
    facts
        .filter(change -> change.user().equals(asked.user()))
        .forEach(
            change -> {
              if (change.isRemoval()) {
                values.remove(change.value());
              } else {
                values.add(change.value());
              }
            });
    Collections.reverse(values);
    if (asked instanceof Ask.Latest latest) {
      return values.stream().limit(latest.limit()).toList();
    }
    if (asked instanceof Ask.Contains contains) {
      return List.of(values.contains(contains.value()));
    }
    return List.of(asked);
  }
}
