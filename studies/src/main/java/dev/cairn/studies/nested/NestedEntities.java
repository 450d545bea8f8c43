package dev.cairn.studies.nested;

import dev.cairn.studies.Design;
import dev.cairn.studies.Question;
import dev.cairn.studies.Study;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Accounts with their entries. */
public final class NestedEntities implements Study<Booking, Ask> {
  private static final int LATEST = 10;

  @Override
  public String name() {
    return "nested-entities";
  }

  @Override
  public String subject() {
    return "Entities in an entity: rows, columns, or one value; and what is atomic?";
  }

  @Override
  public long usualFacts() {
    return 50_000;
  }

  @Override
  public Stream<Booking> facts(long count) {
    return Booking.first(count);
  }

  @Override
  public long sequence(Booking booking, long number) {
    return booking.account();
  }

  @Override
  public List<Question<Ask>> questions(long count) {
    return List.of(
        new Question<>("an account", random -> new Ask.Whole(any(count, random).account())),
        new Question<>("the busiest account", random -> new Ask.Whole(Booking.BUSIEST)),
        new Question<>("a balance", random -> new Ask.Balance(any(count, random).account())),
        new Question<>("the busiest balance", random -> new Ask.Balance(Booking.BUSIEST)),
        new Question<>(
            "an entry",
            random -> {
              Booking booking = any(count, random);
              return new Ask.One(booking.account(), booking.entry().number());
            }),
        new Question<>(
            "10 entries of the busiest", random -> new Ask.Latest(Booking.BUSIEST, LATEST)),
        new Question<>(
            "correct a text",
            random -> {
              Booking booking = any(count, random);
              Entry entry = booking.entry();
              return new Ask.Correct(booking.account(), entry.number(), entry.text());
            }),
        new Question<>(
            "correct a text, busiest",
            random -> {
              Entry entry = Booking.of(0, count).entry();
              return new Ask.Correct(Booking.BUSIEST, entry.number(), entry.text());
            }));
  }

  private static Booking any(long count, RandomGenerator random) {
    return Booking.of(random.nextLong(count), count);
  }

  @Override
  public List<Design<Booking, Ask>> designs() {
    return List.of(new ChildRows(), new OneValue(), new ChildColumns());
  }

  @Override
  public List<?> answer(Stream<Booking> facts, Ask asked) {
    long number = asked.account();
    Account account = new Account(number, Account.owner(number), 0, List.of());
    for (Booking booking : facts.filter(one -> one.account() == number).toList()) {
      account = account.with(booking.entry());
    }
    if (asked instanceof Ask.Whole) {
      return List.of(account);
    }
    if (asked instanceof Ask.Balance) {
      return List.of(account.balance());
    }
    if (asked instanceof Ask.One one) {
      return account.entries().stream().filter(entry -> entry.number() == one.entry()).toList();
    }
    if (asked instanceof Ask.Latest latest) {
      return account.entries().stream().limit(latest.limit()).toList();
    }
    return List.of(asked);
  }
}
