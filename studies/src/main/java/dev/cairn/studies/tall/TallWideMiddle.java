package dev.cairn.studies.tall;

import dev.cairn.studies.Design;
import dev.cairn.studies.Question;
import dev.cairn.studies.Study;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** Items of users in a tall table, in a wide one, and in one between them. */
public final class TallWideMiddle implements Study<Item, Ask> {
  private static final Duration DAY = Duration.ofDays(1);
  private static final int PAGE = 10;

  @Override
  public String name() {
    return "tall-wide-middle";
  }

  @Override
  public String subject() {
    return "Many items of a user: rows, columns, versions, or rows of a day?";
  }

  @Override
  public Stream<Item> facts(long count) {
    return Item.first(count);
  }

  @Override
  public List<Question<Ask>> questions(long count) {
    return List.of(
        new Question<>(
            "an item",
            random -> {
              long number = random.nextLong(count);
              return new Ask.One(Item.userOf(number), Item.time(number));
            }),
        new Question<>("the latest 10", random -> new Ask.Page(Item.user(random), 0, PAGE)),
        new Question<>(
            "the latest 10 of the busiest", random -> new Ask.Page(Item.BUSIEST, 0, PAGE)),
        new Question<>(
            "10 in the middle of the busiest",
            random -> new Ask.Page(Item.BUSIEST, (int) Item.ofBusiest(count) / 2, PAGE)),
        new Question<>(
            "a day of the busiest",
            random -> {
              Instant from = Item.time(random.nextLong(count));
              return new Ask.Period(Item.BUSIEST, from, from.plus(DAY));
            }),
        new Question<>("all of a user", random -> new Ask.All(Item.user(random))),
        new Question<>("all of the busiest", random -> new Ask.All(Item.BUSIEST)));
  }

  @Override
  public List<Design<Item, Ask>> designs() {
    return List.of(
        new Versions(),
        new WideWhole(),
        new WideParts(),
        new Middle(),
        new Tall(DataBlockEncoding.NONE),
        new Tall(DataBlockEncoding.FAST_DIFF));
  }

  @Override
  public List<Item> answer(Stream<Item> facts, Ask asked) {
    Stream<Item> items =
        facts
            .filter(item -> item.user().equals(asked.user()))
            .sorted(Comparator.comparing((Item item) -> item.time()).reversed());
    if (asked instanceof Ask.One one) {
      return items.filter(item -> item.time().equals(one.time())).toList();
    }
    if (asked instanceof Ask.Page page) {
      return items.skip(page.offset()).limit(page.limit()).toList();
    }
    if (asked instanceof Ask.Period period) {
      return items.filter(period::contains).toList();
    }
    return items.toList();
  }
}
